// SPDX-License-Identifier: Apache-2.0
/** Reads handwriting with a vector search: an unknown digit is what its nearest known digits are. */
import type { ScoredPoint } from '@sextant/contracts-vector';
import { systemClock } from '@sextant/foundation-std';
import type { MnistImages } from '../data/mnist.ts';
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
export async function loadMnist(api: CollectionApi, images: MnistImages, advance: (count: number) => void): Promise<Figures> {
  await api.remove();
  await api.create({ vectors: { size: images.dimension, distance: 'Euclid' }, ...GRAPH_ALWAYS });
  return timed(images.count, () =>
    inLanes(Math.ceil(images.count / BATCH), UPSERTS_IN_FLIGHT, async (batch) => {
      const ids = range(batch * BATCH, Math.min((batch + 1) * BATCH, images.count));
      await api.upsert(ids.map((id) => ({ id, vector: imageOf(images, id), payload: { label: images.labels[id] ?? 0 } })));
      advance(ids.length);
    }),
  );
}

/** Waits for the graph; the seconds are those that it needs after the last upsert was acknowledged. */
export function indexMnist(api: CollectionApi, images: MnistImages): Promise<Figures> {
  return timed(images.count, () => untilIndexed(api, 30 * 60_000));
}

/** Classifies each image and compares with its label. */
export async function classifyMnist(
  api: CollectionApi,
  images: MnistImages,
  advance: (count: number) => void,
): Promise<Figures & { readonly accuracy: number }> {
  let right = 0;
  const figures = await timed(images.count, () =>
    inLanes(images.count, SEARCHES_IN_FLIGHT, async (index) => {
      const hits = await api.search({ vector: imageOf(images, index), limit: NEIGHBOURS, with_payload: true });
      if (vote(hits) === images.labels[index]) right++;
      advance(1);
    }),
  );
  return { ...figures, accuracy: right / images.count };
}

/** Which share of the true ten nearest the graph finds, over `sample` images. */
export async function recallOfMnist(api: CollectionApi, images: MnistImages, sample: number): Promise<number> {
  let found = 0;
  await inLanes(sample, SEARCHES_IN_FLIGHT, async (index) => {
    const request: SearchRequest = { vector: imageOf(images, index), limit: RECALL_AT };
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

function imageOf({ pixels, dimension }: MnistImages, index: number): number[] {
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
