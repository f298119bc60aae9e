// SPDX-License-Identifier: Apache-2.0
/**
 * How many of the nearest points searches find: points of the sample are searched for exactly and through the index, some of them among the points that share
 * a payload value with theirs. A point that is as near as the last of the exact ones counts as found, since equal ones may come in any order.
 */
import type { MetricPoint } from '@sextant/contracts-observability';
import type { NearestPoint, NearestSearch, VectorCollectionAccess } from '@sextant/observability-connectors';
import { SourceError } from '@sextant/observability-connectors/source';
import type { SampledPoint } from './point-sample.ts';
import { metricAt } from './vector-statistics.ts';

const NEAREST = 10;
const QUERIES_MAX = 200;
const QUERIES_MIN = 20;
/** Components that the exact searches of one vector read at most: about ten seconds of one core. */
const COMPONENTS_MAX = 2e10;
const SEARCHES_AT_ONCE = 10;
/** Every so manyth search has a filter. */
const FILTERED_EVERY = 2;
/** A member with more values than these is no kind of point; with one it filters nothing. */
const VALUES_MIN = 2;
const VALUES_MAX = 50;
/** Of scores that were rounded on their way. */
const EQUAL = 1e-6;
/** Two-sided, 95 %. */
const DEVIATIONS = 1.96;

type Probe = {
  readonly collection: VectorCollectionAccess;
  readonly vector: string;
  /** Of the collection: points times the dimension of the vector. */
  readonly components: number;
  readonly sample: readonly SampledPoint[];
  readonly signal: AbortSignal;
};

type Count = { found: number; expected: number };

export type Recall = {
  /** None where there is no index to ask, or it may not be asked. */
  readonly metrics: readonly MetricPoint[];
  /** Why it could not be asked although it might; nothing is known of the index then. */
  readonly failure?: string;
};

const NOTHING: Recall = { metrics: [] };

export async function probeRecall({ collection, vector, components, sample, signal }: Probe): Promise<Recall> {
  if (collection.nearest === undefined) return NOTHING;
  const queries = Math.max(QUERIES_MIN, Math.min(QUERIES_MAX, Math.floor(COMPONENTS_MAX / Math.max(1, components))));
  const points = sample.filter(({ vectors }) => vectors.has(vector)).slice(0, queries);
  const member = filterMember(sample);
  const [plain, filtered]: [Count, Count] = [
    { found: 0, expected: 0 },
    { found: 0, expected: 0 },
  ];
  const atOnce = collection.searchesAtOnce ?? SEARCHES_AT_ONCE;
  for (let start = 0; start < points.length; start += atOnce) {
    signal.throwIfAborted();
    const searches = points.slice(start, start + atOnce).map(({ id, payload }, place): NearestSearch => {
      const value = (start + place) % FILTERED_EVERY === 0 && member !== undefined ? filterValue(payload[member]) : undefined;
      return {
        id,
        vector,
        limit: NEAREST,
        isExact: true,
        ...(member !== undefined && value !== undefined && { where: { member, value } }),
      };
    });
    const answers = await bothAnswers(collection.nearest, searches, signal);
    // As its strict mode may, and where a point was deleted meanwhile.
    if (answers.kind === 'refused') return NOTHING;
    if (answers.kind === 'failed') {
      const what = vector === '' ? 'the index' : `the index of ${vector}`;
      return { metrics: [], failure: `${what} could not be searched: ${answers.reason}` };
    }
    for (const [place, search] of searches.entries()) {
      const count = search.where === undefined ? plain : filtered;
      const exact = answers.exact[place] ?? [];
      count.expected += exact.length;
      count.found += foundOf(exact, answers.indexed[place] ?? []);
    }
  }
  const at = metricAt({ attribute: vector, segment: null });
  const all = { found: plain.found + filtered.found, expected: plain.expected + filtered.expected };
  if (all.expected === 0) return NOTHING;
  const { low, high } = wilson(all);
  return {
    metrics: [
      at('SEARCH_RECALL', 'ratio', shareOf(all)),
      at('SEARCH_RECALL', 'lower', 100 * low),
      at('SEARCH_RECALL', 'upper', 100 * high),
      ...(filtered.expected === 0 ? [] : [at('SEARCH_RECALL', 'filtered', shareOf(filtered))]),
    ],
  };
}

type Lists = readonly (readonly NearestPoint[])[];
type Answers =
  | { readonly kind: 'answered'; readonly exact: Lists; readonly indexed: Lists }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed'; readonly reason: string };

async function bothAnswers(
  nearest: NonNullable<VectorCollectionAccess['nearest']>,
  searches: readonly NearestSearch[],
  signal: AbortSignal,
): Promise<Answers> {
  try {
    const exact = await nearest(searches, { signal });
    const indexed = await nearest(
      searches.map((search) => ({ ...search, isExact: false })),
      { signal },
    );
    return { kind: 'answered', exact, indexed };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return isRefusal(error) ? { kind: 'refused' } : { kind: 'failed', reason: error.message };
  }
}

function isRefusal({ status }: SourceError): boolean {
  return status !== undefined && status >= 400 && status < 500;
}

/** How many of the exact ones the index found, or others as near. */
export function foundOf(exact: readonly NearestPoint[], indexed: readonly NearestPoint[]): number {
  const [best, last] = [exact[0]?.score ?? 0, exact.at(-1)?.score ?? 0];
  const margin = EQUAL * Math.max(1, Math.abs(last));
  const isNear = ({ score }: NearestPoint) => (best >= last ? score >= last - margin : score <= last + margin);
  return Math.min(exact.length, indexed.filter(isNear).length);
}

/** Of which every point has one of a few values, so that points of one value can be asked for: the one with the most values. */
function filterMember(sample: readonly SampledPoint[]): string | undefined {
  const values = new Map<string, Set<unknown>>();
  for (const { payload } of sample) {
    for (const [member, value] of Object.entries(payload)) {
      const known = values.get(member) ?? new Set();
      values.set(member, known);
      if (known.size <= VALUES_MAX && filterValue(value) !== undefined) known.add(value);
    }
  }
  const fit = [...values].filter(([, { size }]) => size >= VALUES_MIN && size <= VALUES_MAX);
  return fit.toSorted(([one, { size }], [other, { size: otherSize }]) => otherSize - size || (one < other ? -1 : 1))[0]?.[0];
}

function filterValue(value: unknown): NonNullable<NearestSearch['where']>['value'] | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

function shareOf({ found, expected }: Count): number {
  return (100 * found) / expected;
}

/** The interval of a share: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22, 1927. */
export function wilson({ found, expected }: Count): { readonly low: number; readonly high: number } {
  const share = found / expected;
  const square = DEVIATIONS * DEVIATIONS;
  const middle = (share + square / (2 * expected)) / (1 + square / expected);
  const half = (DEVIATIONS / (1 + square / expected)) * Math.sqrt((share * (1 - share)) / expected + square / (4 * expected * expected));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
