// SPDX-License-Identifier: Apache-2.0
/** How the sampled vectors of one name compare with their reference: shares beyond what was rare, cells that emptied or filled, and the points behind them. */
import type { MetricPoint } from '@sextant/contracts-observability';
import type { StoredVectorReference } from '../scan.ts';
import { median } from './centroid-shift.ts';
import { isMoreThanChance, RARE } from './chance.ts';
import { distinctMagnitudes } from './distinct-components.ts';
import type { NearDuplicates } from './near-duplicates.ts';
import type { SampledPoint } from './point-sample.ts';
import { emptiedShare, sharesOf } from './reference/cells.ts';
import { type KnownNear, knownNear } from './reference/known-near.ts';
import { type StaleTexts, type StoredTexts, staleTexts } from './reference/stale-texts.ts';
import { decodeReference, encodeReference } from './reference/stored-reference.ts';
import { agreements } from './reference/text-agreement.ts';
import { learnedText, textFault, textOf, textsOf } from './reference/text-member.ts';
import { type FoundTurnover, turnoverOf } from './reference/turnover.ts';
import type { Turn } from './reference/turns.ts';
import {
  cellOf,
  makeReference,
  pointTexts,
  REFERENCE_VECTORS_MIN,
  type SampledVector,
  type VectorReference,
  type Viewed,
} from './reference/vector-reference.ts';
import { besideShare, distanceToMembers, viewOf } from './reference/view.ts';
import { sharedValue } from './shared-values.ts';
import { metricAt, percent } from './vector-statistics.ts';

export type Comparison = {
  readonly metrics: readonly MetricPoint[];
  /** Points that are at fault for what was measured; none where no more are than ever. */
  readonly suspects: readonly Suspect[];
  /** Why nothing can be said of the payload member that was set as the text. */
  readonly textFault: string | undefined;
  /** For the next scan. */
  readonly stored: StoredVectorReference;
};

export type Suspect = { readonly point: Pick<SampledPoint, 'id' | 'payload'>; readonly what: string };

/** As many scans as make a new level the expected one of a learned band. */
export const ACCEPTED_SCANS = 5;
/** A reference of fewer points than a part of what there is now gives way to one of more. */
export const OUTGROWN = 3;
/** From here on a cell has changed, and not by chance. */
export const CELL_CHANGE = 0.1;
/** From so many standard deviations on the mean of the vectors that came lies farther from that of all than chance brings it. */
const MEAN_SHIFT = 4;
const SUSPECTS_MAX = 10;

type Name = { readonly name: string; readonly dimension: number };

/** Undefined where there are too few vectors to compare. */
export async function compareVectors(
  { name, dimension }: Name,
  points: readonly SampledPoint[],
  {
    stored,
    duplicates,
    turn,
    textMember,
  }: {
    readonly stored: StoredVectorReference | undefined;
    readonly duplicates: NearDuplicates;
    readonly turn: Turn;
    /** The payload member that the vectors are made from, where a person has set it. */
    readonly textMember: string | undefined;
  },
): Promise<Comparison | undefined> {
  const vectors = points.flatMap((point): readonly SampledVector[] => {
    const vector = point.vectors.get(name);
    return vector === undefined ? [] : [{ point, vector }];
  });
  if (vectors.length < REFERENCE_VECTORS_MIN) return undefined;
  const known = stored && decodeReference(stored);
  const isOfUse = known !== undefined && known.frame.mean.length === dimension && OUTGROWN * known.points >= vectors.length;
  const reference = isOfUse ? withText(known, vectors, textMember) : await makeReference(vectors, turn, textMember);
  const texts = textsOfVectors(reference.text?.member, vectors, stored?.texts);
  const sample = vectors.map(({ point: { key }, vector }) => ({ key, vector }));
  const { found: turnover, stored: nextSample } = await turnoverOf(sample, stored?.sample, turn);
  // Another reference has another distance, within which others are near.
  const pairsBefore = isOfUse && stored?.near !== undefined ? knownNear(stored.near) : undefined;
  const found = await measured(reference, vectors, { name, duplicates, turn, texts, turnover, known: pairsBefore, isOfOthers: isOfUse });
  const scansAbove = isOfUse && found.isOtherwise ? (stored?.scansAbove ?? 0) + 1 : 0;
  // What has been so for five scans is what is usual now.
  const next =
    scansAbove >= ACCEPTED_SCANS
      ? encodeReference(await makeReference(vectors, turn, textMember), 0)
      : { ...encodeReference(reference, scansAbove), near: found.near };
  const payloads = vectors.map(({ point }) => point.payload);
  const fault = textMember === undefined ? undefined : textFault(payloads, textMember, found.judgedTexts);
  // A repair is no news: vectors that lie elsewhere are not what the next scan compares with, unless they stay.
  const isElsewhere = found.isOtherwise || Math.max(turnover?.came ?? 0, turnover?.went ?? 0) > MEAN_SHIFT;
  const kept = turnover !== undefined && isElsewhere ? held(stored?.sample) : undefined;
  const memory = { ...next, sample: kept ?? { ...nextSample, scansHeld: 0 }, ...(texts && { texts: texts.stored }) };
  return { metrics: found.metrics, suspects: found.suspects, textFault: fault, stored: memory };
}

/** For the next scan as it was for this one; undefined where that has been so for long. */
function held(sample: StoredVectorReference['sample']): StoredVectorReference['sample'] {
  if (sample === undefined || sample.scansHeld + 1 >= ACCEPTED_SCANS) return undefined;
  return { ...sample, scansHeld: sample.scansHeld + 1 };
}

/** What was set or found before holds as long as nobody sets another member, or takes back what was set. */
function withText(reference: VectorReference, vectors: readonly SampledVector[], textMember: string | undefined): VectorReference {
  const { frame, text } = reference;
  if ((text?.isSet === true ? text.member : undefined) === textMember) return reference;
  const viewed = vectors.map((one) => ({ ...one, view: viewOf(frame, one.vector) }));
  return { ...reference, text: learnedText(pointTexts(viewed), textMember) };
}

/** Undefined where no payload member is the text. */
function textsOfVectors(
  member: string | undefined,
  vectors: readonly SampledVector[],
  stored: StoredTexts | undefined,
): StaleTexts | undefined {
  if (member === undefined) return undefined;
  const written = vectors.flatMap(({ point: { key, payload }, vector }) => {
    const text = textOf(payload, member);
    return text === undefined ? [] : [{ key, text, vector }];
  });
  return staleTexts(member, written, stored);
}

type Measuring = {
  readonly name: string;
  readonly duplicates: NearDuplicates;
  readonly turn: Turn;
  readonly texts: StaleTexts | undefined;
  readonly turnover: FoundTurnover | undefined;
  readonly known: KnownNear | undefined;
  /** Whether the reference was made from other vectors than these. */
  readonly isOfOthers: boolean;
};
type Found = Pick<Comparison, 'metrics' | 'suspects'> & {
  readonly isOtherwise: boolean;
  readonly judgedTexts: number;
  readonly near: string;
};

async function measured(
  reference: VectorReference,
  vectors: readonly SampledVector[],
  { name, duplicates, turn, texts, turnover, known, isOfOthers }: Measuring,
): Promise<Found> {
  const { frame, members, cells, cuts, text, nearDistance } = reference;
  const scored: (Viewed & { readonly cell: number; readonly distance: number; readonly beside: number; readonly distinct: number })[] = [];
  for (const { point, vector } of vectors) {
    await turn(frame.directions.length + members.coordinates.length + cells.centers.length);
    const view = viewOf(frame, vector);
    scored.push({
      point,
      vector,
      view,
      cell: cellOf(cells.centers, view),
      distance: distanceToMembers(members, view, point.key),
      beside: besideShare(view),
      distinct: distinctMagnitudes(vector),
    });
  }
  const count = vectors.length;
  const at = metricAt({ attribute: name, segment: null });
  const title = name === '' ? 'The vector' : `The vector ${name}`;

  const far = scored.filter(({ distance, beside }) => distance > cuts.distance || beside > cuts.beside);
  const farAndNew = turnover && far.filter(({ point }) => turnover.fresh.has(point.key)).length;
  const outlying = scored.filter(({ view }) => view.norm < cuts.shortest || view.norm > cuts.longest);
  const rounded = scored.filter(({ distinct }) => distinct < cuts.distinct);
  const near = duplicates.count(nearDistance, known);
  const now = sharesOf(
    scored.map(({ cell }) => cell),
    cells.shares.length,
  );
  const change = cells.shares.map((share, cell) => Math.sqrt(now[cell] ?? 0) - Math.sqrt(share));
  const lost = Math.max(0, -Math.min(...change), Math.sqrt(emptiedShare(cells.shares, now, count)));
  const grown = Math.max(0, ...change);
  const grownCell = change.indexOf(Math.max(...change));

  const scores = text === null ? undefined : agreements(textsOf(pointTexts(scored), text.member));
  const mismatched = scored.flatMap((one) => {
    const score = scores?.get(one.point.key);
    return score === undefined || text === null || score >= text.cut ? [] : [{ ...one, score }];
  });
  const stale = scored.filter(({ point }) => texts?.stale.has(point.key) === true);

  const textCount = text === null ? 0 : vectors.filter(({ point }) => textOf(point.payload, text.member) !== undefined).length;
  const source = text === null ? '' : `its text (payload member ${text.member}, ${originOf(text)})`;

  const all = vectors.map(({ point }) => point);
  const suspects: readonly (readonly Suspect[])[] = [
    worst(far, (one) => Math.max(one.distance / cuts.distance, one.beside / cuts.beside), {
      expected: 2 * RARE * count,
      all,
      what: `${title} lies farther from the others than vectors did`,
    }),
    worst(rounded, ({ distinct }) => -distinct, {
      expected: RARE * count,
      all,
      what: `${title} has fewer different components than usual: its numbers are rounded`,
    }),
    worst(mismatched, ({ score }) => -score, {
      expected: RARE * count,
      all,
      what: `${title} does not say what ${source} says`,
    }),
    worst(stale, ({ point }) => -(scores?.get(point.key) ?? 0), {
      expected: RARE * count,
      all,
      what: `${title} is older than ${source}: that has changed, and the vector has not`,
    }),
    grown < CELL_CHANGE
      ? []
      : scored
          .filter(({ cell }) => cell === grownCell)
          .slice(0, SUSPECTS_MAX)
          .map(({ point }) => ({
            point,
            what: `${title} lies where ${shownShare(now[grownCell])} of the vectors lie now, and ${shownShare(cells.shares[grownCell])} did`,
          })),
    turnover === undefined ? [] : farthestOfThoseThatCame(turnover, scored, title),
    near.pairs.map(({ id, other }) => ({ point: { id, payload: {} }, what: `${title} is nearly that of point ${other}` })),
  ];
  return {
    metrics: [
      at('VECTOR_SAMPLE_COUNT', 'count', count),
      at('VECTOR_FAR_SHARE', 'ratio', percent(far.length, count)),
      ...(farAndNew === undefined || !isOfOthers ? [] : [at('VECTOR_FAR_SHARE', 'new', percent(farAndNew, count))]),
      at('VECTOR_NORM_OUTLIER_SHARE', 'ratio', percent(outlying.length, count)),
      at('VECTOR_ROUNDED_SHARE', 'ratio', percent(rounded.length, count)),
      at('VECTOR_NEAR_DUPLICATE_SHARE', 'ratio', percent(near.near, near.compared)),
      ...(near.fresh === undefined ? [] : [at('VECTOR_NEAR_DUPLICATE_SHARE', 'new', percent(near.fresh, near.compared))]),
      ...(turnover === undefined
        ? []
        : [
            at('VECTOR_NEW_SHARE', 'ratio', percent(turnover.fresh.size, count)),
            ...(turnover.came === undefined ? [] : [at('VECTOR_MEAN_SHIFT', 'new', turnover.came)]),
            ...(turnover.went === undefined ? [] : [at('VECTOR_MEAN_SHIFT', 'gone', turnover.went)]),
          ]),
      // Vectors do not differ from themselves: the zeros would teach a band that later scans grow out of it.
      ...(isOfOthers ? [at('VECTOR_CELL_SHIFT', 'lost', lost), at('VECTOR_CELL_SHIFT', 'grown', grown)] : []),
      ...(scores === undefined || text === null
        ? []
        : [
            at('VECTOR_TEXT_MEMBER', `${originOf(text)}:${text.member}`, percent(textCount, count)),
            at('VECTOR_TEXT_MISMATCH_SHARE', 'ratio', percent(mismatched.length, scores.size)),
            ...(texts === undefined || texts.known === 0 ? [] : [at('VECTOR_TEXT_MISMATCH_SHARE', 'stale', percent(stale.length, count))]),
            at('VECTOR_TEXT_AGREEMENT', 'median', scores.size === 0 ? null : median([...scores.values()])),
          ]),
    ],
    suspects: suspects.flat(),
    judgedTexts: scores?.size ?? 0,
    near: near.stored,
    isOtherwise: isMoreThanChance(far.length, 2 * RARE * count) || lost > CELL_CHANGE || grown > CELL_CHANGE,
  };
}

/** What they have in common is the direction in which their mean lies. */
function farthestOfThoseThatCame(
  { came = 0, fresh, direction }: FoundTurnover,
  viewed: readonly Viewed[],
  title: string,
): readonly Suspect[] {
  if (came < MEAN_SHIFT) return [];
  const along = ({ vector, view }: Viewed) => vector.reduce((sum, part, at) => sum + part * (direction[at] ?? 0), 0) / view.norm;
  return viewed
    .filter(({ point }) => fresh.has(point.key))
    .map((one) => ({ point: one.point, along: along(one) }))
    .toSorted((one, other) => other.along - one.along)
    .slice(0, SUSPECTS_MAX)
    .map(({ point }) => ({ point, what: `${title} came since the last scan, and those that came lie elsewhere than the others` }));
}

function originOf({ isSet }: NonNullable<VectorReference['text']>): 'set' | 'found' {
  return isSet === true ? 'set' : 'found';
}

/** Of those beyond a cut the worst, if there are more of them than chance gives. */
function worst<One extends { readonly point: SampledPoint }>(
  found: readonly One[],
  rank: (one: One) => number,
  { expected, all, what }: { readonly expected: number; readonly all: readonly SampledPoint[]; readonly what: string },
): readonly Suspect[] {
  if (!isMoreThanChance(found.length, expected)) return [];
  const shared = sharedValue(
    found.map(({ point }) => point),
    all,
  );
  return found
    .toSorted((one, other) => rank(other) - rank(one))
    .slice(0, SUSPECTS_MAX)
    .map(({ point }) => ({ point, what: shared === undefined ? what : `${what}; ${shared}` }));
}

function shownShare(share = 0): string {
  return `${Math.round(1000 * share) / 10} %`;
}
