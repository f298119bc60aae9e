// SPDX-License-Identifier: Apache-2.0
/** What costs more of a vector than a walk over its components is done to a sample of the points, whose size does not grow with their number. */
import type { AssetOptions, MetricPoint } from '@sextant/contracts-observability';
import { unknownName } from '@sextant/foundation-std';
import type { VectorCollectionAccess, VectorPoint } from '@sextant/observability-connectors';
import type { RecentCentroids, VectorReferences } from '../scan.ts';
import { usualCentroid } from './centroid-shift.ts';
import { compareVectors, type Suspect } from './comparison.ts';
import { nearDuplicates } from './near-duplicates.ts';
import { pointSample } from './point-sample.ts';
import { probeRecall } from './recall-probe.ts';
import { turns } from './reference/turns.ts';
import type { VectorReading } from './vector-statistics.ts';

export type CloserLook = {
  readonly add: (point: VectorPoint, vectors: readonly (readonly [name: string, reading: VectorReading])[]) => void;
  readonly compare: () => Promise<Compared>;
  /** Asks the collection itself. */
  readonly probe: (collection: VectorCollectionAccess, points: number) => Promise<Probed>;
};

export type Compared = {
  readonly metrics: readonly MetricPoint[];
  readonly suspects: readonly Suspect[];
  /** By vector, why nothing can be said of the payload member that was set as its text. */
  readonly textFaults: ReadonlyMap<string, string>;
  /** For the next scan. */
  readonly references: VectorReferences;
};

export type Probed = {
  readonly metrics: readonly MetricPoint[];
  /** Why the index of a vector could not be asked. */
  readonly failures: readonly string[];
};

/** Names that are looked at; what is stored of each takes half a megabyte. */
const NAMES_MAX = 8;

/** By vector, the payload member that it is made from. */
export type TextMembers = NonNullable<AssetOptions['text_members']>;

type Before = {
  readonly textMembers: TextMembers;
  readonly recentCentroids: RecentCentroids;
  readonly vectorReferences: VectorReferences;
  readonly signal: AbortSignal;
};

export function closerLook(
  dimensions: { readonly [vector: string]: number },
  { recentCentroids, vectorReferences, textMembers, signal }: Before,
): CloserLook {
  const looked = Object.fromEntries(Object.entries(dimensions).slice(0, NAMES_MAX));
  const sample = pointSample(looked);
  const duplicates = new Map(
    Object.entries(looked).map(([name, dimension]) => [name, nearDuplicates(dimension, usualCentroid(recentCentroids[name] ?? []))]),
  );
  return {
    add: (point, vectors) => {
      sample.add(point, vectors);
      for (const [name, { components, norm, isConforming }] of vectors) {
        if (norm !== undefined && norm > 0 && isConforming) duplicates.get(name)?.add(components, norm, point.id);
      }
    },
    compare: async () => {
      const turn = turns(signal);
      const points = sample.points();
      const metrics: MetricPoint[] = [];
      const suspects: Suspect[] = [];
      const textFaults = new Map<string, string>(
        Object.keys(textMembers)
          .filter((name) => !Object.hasOwn(dimensions, name))
          .map((name) => [name, unknownName('vector of the collection', nameShown(name), Object.keys(dimensions).map(nameShown))]),
      );
      const references: Record<string, VectorReferences[string]> = {};
      for (const [name, near] of duplicates) {
        const stored = vectorReferences[name];
        const found = await compareVectors({ name, dimension: dimensions[name] ?? 0 }, points, {
          stored,
          duplicates: near,
          turn,
          textMember: Object.hasOwn(textMembers, name) ? textMembers[name] : undefined,
        });
        if (found?.textFault !== undefined) textFaults.set(name, found.textFault);
        // Of a scan without vectors nothing is learned, and nothing forgotten.
        const next = found?.stored ?? stored;
        if (next !== undefined) references[name] = next;
        metrics.push(...(found?.metrics ?? []));
        suspects.push(...(found?.suspects ?? []));
      }
      return { metrics, suspects, textFaults, references };
    },
    probe: async (collection, points) => {
      const metrics: MetricPoint[] = [];
      const failures: string[] = [];
      for (const [vector, dimension] of Object.entries(looked)) {
        const found = await probeRecall({ collection, vector, components: points * dimension, sample: sample.points(), signal });
        metrics.push(...found.metrics);
        if (found.failure !== undefined) failures.push(found.failure);
      }
      return { metrics, failures };
    },
  };
}

function nameShown(name: string): string {
  return name === '' ? 'the unnamed one' : name;
}
