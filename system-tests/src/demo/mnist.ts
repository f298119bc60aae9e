/** Reads handwriting with a vector search: an unknown digit is what its nearest known digits are. */
import type { ScoredPoint } from '@sextant/contracts-vector';
import { systemClock } from '@sextant/foundation-std';
import type { Digits } from '../data/mnist.ts';
import { GRAPH_ALWAYS } from '../graph-config.ts';
import { inLanes } from '../lanes.ts';
import { untilIndexed } from '../until.ts';
import type { CollectionApi, SearchRequest } from '../vector-api.ts';

/** Images in an upsert: about 1.5 MB of JSON. */
const BATCH = 500;
const UPSERTS_IN_FLIGHT = 2;
const SEARCHES_IN_FLIGHT = 8;
/** Three neighbours, the nearer counting more: about the best that raw pixels give, 97 % right. */
const NEIGHBOURS = 3;
const RECALL_AT = 10;

export type Figures = { readonly count: number; readonly seconds: number };

/** Creates the collection and loads the digits with their labels. */
export async function loadDigits(api: CollectionApi, digits: Digits, advance: (count: number) => void): Promise<Figures> {
  await api.remove();
  await api.create({ vectors: { size: digits.dimension, distance: 'Euclid' }, ...GRAPH_ALWAYS });
  return timed(digits.count, () =>
    inLanes(Math.ceil(digits.count / BATCH), UPSERTS_IN_FLIGHT, async (batch) => {
      const ids = range(batch * BATCH, Math.min((batch + 1) * BATCH, digits.count));
      await api.upsert(ids.map((id) => ({ id, vector: imageOf(digits, id), payload: { label: digits.labels[id] ?? 0 } })));
      advance(ids.length);
    }),
  );
}

/** Waits for the graph; the seconds are those that it needs after the last upsert was acknowledged. */
export function indexDigits(api: CollectionApi, digits: Digits): Promise<Figures> {
  return timed(digits.count, () => untilIndexed(api, 30 * 60_000));
}

/** Classifies each image and compares with its label. */
export async function classifyDigits(
  api: CollectionApi,
  digits: Digits,
  advance: (count: number) => void,
): Promise<Figures & { readonly accuracy: number }> {
  let right = 0;
  const figures = await timed(digits.count, () =>
    inLanes(digits.count, SEARCHES_IN_FLIGHT, async (index) => {
      const hits = await api.search({ vector: imageOf(digits, index), limit: NEIGHBOURS, with_payload: true });
      if (vote(hits) === digits.labels[index]) right++;
      advance(1);
    }),
  );
  return { ...figures, accuracy: right / digits.count };
}

/** Which share of the true ten nearest the graph finds, over `sample` images. */
export async function recallOfDigits(api: CollectionApi, digits: Digits, sample: number): Promise<number> {
  let found = 0;
  await inLanes(sample, SEARCHES_IN_FLIGHT, async (index) => {
    const request: SearchRequest = { vector: imageOf(digits, index), limit: RECALL_AT };
    const exact = await api.search({ ...request, params: { exact: true } });
    const approximate = new Set((await api.search(request)).map(({ id }) => id));
    found += exact.filter(({ id }) => approximate.has(id)).length;
  });
  return found / (sample * RECALL_AT);
}

function vote(hits: readonly ScoredPoint[]): number | undefined {
  const weights = new Map<number, number>();
  for (const { payload, score } of hits) {
    const label = Number(payload?.label);
    weights.set(label, (weights.get(label) ?? 0) + 1 / (score + 1e-6));
  }
  return [...weights].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

function imageOf({ pixels, dimension }: Digits, index: number): number[] {
  return Array.from(pixels.subarray(index * dimension, (index + 1) * dimension));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

async function timed(count: number, work: () => Promise<void>): Promise<Figures> {
  const startedMs = systemClock.monotonicMs();
  await work();
  return { count, seconds: (systemClock.monotonicMs() - startedMs) / 1000 };
}
