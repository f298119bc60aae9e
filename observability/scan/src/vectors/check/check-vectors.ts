// SPDX-License-Identifier: Apache-2.0
/**
 * One look at vectors, without a service that watches them: what is wrong with them by themselves and, where others are given that were good, what has become
 * otherwise. The measures are those of a scan; a scan judges them by learned bands, which need a history, and this judges them by what chance gives.
 */
import type { VectorCollectionAccess } from '@sextant/observability-connectors';
import type { ScanProgress, VectorReferences } from '../../scan.ts';
import type { TextMembers } from '../closer-look.ts';
import { type CollectionProfile, profileCollection } from '../collection-profile.ts';
import { differences, TEXTS, withoutComparison } from './differences.ts';
import { memberFaults, recallFinding, vectorFaults } from './faults.ts';
import { type Finding, finding, type VectorReport } from './finding.ts';
import { measuresOf } from './measures.ts';

export type VectorCheckOptions = {
  /** Vectors that were good. */
  readonly against?: VectorCollectionAccess | undefined;
  /** By vector (the empty name for the unnamed one), the payload member that it is made from; the others are found. */
  readonly textMembers?: TextMembers | undefined;
  /** Points to read at most, on either side. */
  readonly limit?: number | undefined;
  /** Duplicates are sought in files there, which are gone at the end. */
  readonly temporaryDirectory: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ScanProgress & { readonly of: 'against' | 'checked' }) => void;
};

/** Reads every point once, and those of `against`. Rejects with the signal's reason when it aborts, and with whatever reading throws. */
export async function checkVectors(
  collection: VectorCollectionAccess,
  { against, textMembers = {}, limit, temporaryDirectory, signal, onProgress = () => undefined }: VectorCheckOptions,
): Promise<VectorReport> {
  const profile = (access: VectorCollectionAccess, of: 'against' | 'checked', before?: CollectionProfile) =>
    profileCollection(access, {
      options: { text_members: textMembers, ...(limit !== undefined && { limit }) },
      recentCentroids: before?.recentCentroids,
      vectorReferences: before && ofNoScan(before.vectorReferences),
      temporaryDirectory,
      signal,
      onProgress: (progress) => onProgress({ ...progress, of }),
    });
  const dimensionsBefore = (await against?.info())?.dimensions ?? {};
  const former = against && (await profile(withoutIndex(against), 'against'));
  const { dimensions } = await collection.info();
  const current = await profile(collection, 'checked', former);
  const [now, before] = [measuresOf(current), former && measuresOf(former)];

  const ofVector = Object.entries(dimensions).flatMap(([name, dimension]): readonly Finding[] => {
    const dimensionBefore = dimensionsBefore[name];
    const known = dimensionBefore === undefined ? undefined : before;
    return [
      ...vectorFaults(name, dimension, now, known),
      ...(known === undefined || dimensionBefore === undefined
        ? withoutComparison(
            name,
            before === undefined ? 'It needs vectors to compare with.' : 'What it is compared with has no vector of this name.',
          )
        : differences(name, { now, before: known, dimensions: { now: dimension, before: dimensionBefore } })),
      ...(collection.nearest === undefined ? [] : [recallFinding(name, now)]),
    ];
  });
  const gone = Object.keys(dimensionsBefore).filter((name) => dimensions[name] === undefined);
  return {
    points: current.recordsScanned,
    dimensions,
    findings: [
      ...ofVector.map((one) => (one.check === TEXTS ? withTextFault(one, current, former) : one)),
      ...[...current.textFaults]
        .filter(([name]) => dimensions[name] === undefined)
        .map(([name, fault]) => finding(TEXTS, name).notChecked(sentenceOf(fault))),
      ...gone.map((name) => finding('vectors of this name', name).measured(false, 'There were such vectors, and there are none.')),
      ...memberFaults(now, before),
    ],
    samples: current.samples,
  };
}

/** A text that was set and cannot be read is no text that agrees. */
function withTextFault(one: Finding, current: CollectionProfile, former: CollectionProfile | undefined): Finding {
  const name = one.vector ?? '';
  const fault = current.textFaults.get(name);
  if (fault !== undefined) return finding(TEXTS, name).notChecked(sentenceOf(fault));
  const before = former?.textFaults.get(name);
  return before === undefined ? one : finding(TEXTS, name).notChecked(sentenceOf(before, 'the text of what it is compared with'));
}

function sentenceOf(fault: string, of = 'the text'): string {
  return `Nothing can be said of ${of}: ${fault}${fault.endsWith('?') ? '' : '.'}`;
}

/** What was good is only read. */
function withoutIndex({ info, points }: VectorCollectionAccess): VectorCollectionAccess {
  return { info, points };
}

/** The points of either side may have nothing to do with each other, so that none came since the others were looked at. */
function ofNoScan(references: VectorReferences): VectorReferences {
  return Object.fromEntries(
    Object.entries(references).map(([name, reference]) => {
      const { sample: _ofAScan, ...others } = reference;
      return [name, others];
    }),
  );
}
