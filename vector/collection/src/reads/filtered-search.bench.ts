// SPDX-License-Identifier: Apache-2.0
/**
 * Filtered search beside its two yardsticks, on a collection in this process: for filters that few or many points match, chosen at random, nearest
 * to the queries or farthest from them, prints recall@10 and the microseconds of the plan, of an exact scan of the matching points
 * and of a search without a filter. Filters are indexed and were asked before; each time is the quickest of some rounds.
 *
 *   node vector/collection/src/reads/filtered-search.bench.ts [--file vectors.f32] [--dimension 100] [--count 50000] [--ef 100]
 */
import { readFileSync } from 'node:fs';
import type { Filter, NearestRequest } from '@sextant/contracts-vector';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { readFlags, temporaryDirectory } from '@sextant/foundation-testing';
import { openEmbeddedEngine } from '../embedded-engine.ts';

const LIMIT = 10;
const SHARES = [0.5, 0.1, 0.01, 0.001];
/** Points that stand for a place in space; correlated filters take what is nearest to one, or farthest. */
const ANCHORS = 8;
const QUERIES_PER_ANCHOR = 12;
const ROUNDS = 7;
const UPSERT = 1000;

const { values } = readFlags({
  options: {
    file: { type: 'string' },
    dimension: { type: 'string', default: '100' },
    count: { type: 'string', default: '50000' },
    ef: { type: 'string', default: '100' },
  },
});
const [dimension, count, ef] = [Number(values.dimension), Number(values.count), Number(values.ef)];
const random = seededRandom(1);
const HELD_OUT = 2000;
const all = values.file === undefined ? clusters(count + HELD_OUT) : vectorsOf(readFileSync(values.file), count + HELD_OUT);
const points = all.slice(0, count);
const heldOut = all.slice(count);
const anchors = heldOut.slice(0, ANCHORS);

/** Vectors around 200 centres. */
function clusters(wanted: number): Float32Array[] {
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const centres = Array.from({ length: 200 }, () => Float32Array.from({ length: dimension }, gaussian));
  return Array.from({ length: wanted }, () =>
    (centres[random.integer(200)] ?? new Float32Array()).map((value) => value + 0.7 * gaussian()),
  );
}

function vectorsOf(bytes: Buffer, wanted: number): Float32Array[] {
  const floats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const rows = Math.floor(floats.length / dimension);
  // Spread over the file: neighbours in it may be alike.
  return Array.from({ length: wanted }, (_, index) => {
    const row = Math.floor((index * 7919) % rows);
    return floats.slice(row * dimension, (row + 1) * dimension);
  });
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    dot += value * other;
    aa += value * value;
    bb += other * other;
  }
  return dot / Math.sqrt(aa * bb);
}

/** For each anchor and point, how many points are nearer to the anchor. */
const ranks = anchors.map((anchor) => {
  const nearness = points.map((point) => cosine(anchor, point));
  const order = [...points.keys()].sort((a, b) => (nearness[b] ?? 0) - (nearness[a] ?? 0));
  const rank = new Uint32Array(count);
  for (const [place, point] of order.entries()) rank[point] = place;
  return rank;
});

/** The shares that a place below `bound` falls into, as tags: one posting list for each share. */
function tags(place: number, bound: number): string[] {
  return SHARES.filter((share) => place < share * bound).map(String);
}

function payloadOf(point: number): { [field: string]: string[] } {
  const fields: { [field: string]: string[] } = { random: tags(random.next(), 1) };
  for (const [anchor, rank] of ranks.entries()) {
    fields[`near${anchor}`] = tags(rank[point] ?? 0, count);
    fields[`far${anchor}`] = tags(count - 1 - (rank[point] ?? 0), count);
  }
  return fields;
}

await using scratch = await temporaryDirectory();
const engine = await openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random });
await engine.createCollection('c', { vectors: { size: dimension, distance: 'Cosine' }, hnsw_config: { full_scan_threshold: 10 } });
for (const field of Object.keys(payloadOf(0))) await engine.createFieldIndex('c', field, { type: 'keyword' });
for (let from = 0; from < count; from += UPSERT) {
  const batch = points.slice(from, from + UPSERT);
  await engine.upsert(
    'c',
    batch.map((vector, index) => ({ id: from + index, vector, payload: payloadOf(from + index) })),
  );
}
for (let indexed = 0; indexed < count; ) {
  await new Promise<void>((resolve) => setTimeout(resolve, 200));
  indexed = (await engine.collectionInfo('c')).indexed_vectors_count ?? 0;
}

type Measured = { us: number; ids: readonly unknown[] };

async function measured(request: NearestRequest): Promise<Measured> {
  const started = performance.now();
  const hits = await engine.nearest('c', request);
  return { us: (performance.now() - started) * 1000, ids: hits.map(({ id }) => id) };
}

async function quickest(requests: readonly NearestRequest[]): Promise<Measured[]> {
  const best = await Promise.all(requests.map(measured));
  for (let round = 1; round < ROUNDS; round++) {
    for (const [index, request] of requests.entries()) {
      const { us, ids } = await measured(request);
      if (us < (best[index]?.us ?? 0)) best[index] = { us, ids };
    }
  }
  return best;
}

const queries = anchors.map((anchor) => {
  const near = heldOut.slice(ANCHORS).sort((a, b) => cosine(anchor, b) - cosine(anchor, a));
  return near.slice(0, QUERIES_PER_ANCHOR).map((query) => Array.from(query));
});

console.log(`${count} x ${dimension}, ef ${ef}; microseconds`);
for (const kind of ['random', 'near', 'far']) {
  for (const share of SHARES) {
    const sums = { recall: 0, short: 0, filtered: 0, scan: 0, free: 0, queries: 0 };
    for (const [anchor, vectors] of queries.entries()) {
      const filter: Filter = { must: { key: kind === 'random' ? kind : `${kind}${anchor}`, match: { value: String(share) } } };
      for (const vector of vectors) {
        const [filtered, scan, free] = await quickest([
          { vector, limit: LIMIT, filter, params: { hnsw_ef: ef } },
          { vector, limit: LIMIT, filter, params: { exact: true } },
          { vector, limit: LIMIT, params: { hnsw_ef: ef } },
        ]);
        const truth = new Set(scan?.ids);
        sums.recall += (filtered?.ids.filter((id) => truth.has(id)).length ?? 0) / truth.size;
        sums.short += Number((filtered?.ids.length ?? 0) < truth.size);
        sums.filtered += filtered?.us ?? 0;
        sums.scan += scan?.us ?? 0;
        sums.free += free?.us ?? 0;
        sums.queries++;
      }
    }
    const mean = (sum: number) => (sum / sums.queries).toFixed(0).padStart(6);
    const bar = Math.min(sums.scan, 2 * sums.free);
    console.log(
      `${kind.padEnd(6)} ${String(share * 100).padStart(4)} %: recall ${(sums.recall / sums.queries).toFixed(4)}, short ${sums.short}, filtered ${mean(sums.filtered)}, scan ${mean(sums.scan)}, ` +
        `without ${mean(sums.free)}, of the bar ${(sums.filtered / bar).toFixed(2)}`,
    );
  }
}
await engine.close();
