// SPDX-License-Identifier: Apache-2.0
/**
 * The cost of shards: the same vectors in one space, and in 1, 2 and 4 shards, searched in turn. Microseconds for each search are the mean
 * over the queries of the quickest of some rounds; recall@10 is relative to an exact scan.
 *
 *   node vector/kernel/src/shards/shards.bench.ts [--dimension 100] [--count 40000] [--ef 100]
 */
import { parseArgs } from 'node:util';
import { clusteredVectors } from '../clustered-vectors.ts';
import { attachIndexer, createShardedSpace, createVectorSpace, type SpaceReader, type VectorSpaceHandle } from '../index.ts';

const QUERIES = 200;
const ROUNDS = 15;
const K = 10;

const { values } = parseArgs({
  options: {
    dimension: { type: 'string', default: '100' },
    count: { type: 'string', default: '40000' },
    ef: { type: 'string', default: '100' },
  },
});
const [dimension, count, ef] = [Number(values.dimension), Number(values.count), Number(values.ef)];
const vectors = clusteredVectors({ count: count + QUERIES, dimension, clusters: 200, seed: 1 });
const queries = vectors.splice(count);
const options = { dimension, metric: 'dot', m: 16, efConstruct: 100, seed: 1 } as const;

function filled<Space extends { put(row: number, vector: Float32Array, version: number): void }>(space: Space): Space {
  for (const [row, vector] of vectors.entries()) space.put(row, vector, row);
  return space;
}

function linked(handles: readonly VectorSpaceHandle[]): number {
  const started = performance.now();
  for (const handle of handles) {
    const indexer = attachIndexer(handle);
    while (indexer.link(1000) > 0) indexer.reclaim();
  }
  return Math.round(count / ((performance.now() - started) / 1000));
}

const single = filled(createVectorSpace(options));
const subjects: { name: string; reader: SpaceReader; linkRate: number; us: number }[] = [
  { name: 'one space', reader: single, linkRate: linked([single.handle]), us: Number.POSITIVE_INFINITY },
];
for (const shards of [1, 2, 4]) {
  const space = createShardedSpace({ ...options, rowsPerShard: Math.ceil(count / shards / 32) * 32 });
  space.openShards(count);
  filled(space);
  const linkRate = linked(space.handle.shards);
  subjects.push({ name: `${shards} shard${shards > 1 ? 's' : ''}`, reader: space, linkRate, us: Number.POSITIVE_INFINITY });
}

for (let round = 0; round < ROUNDS; round++) {
  for (const subject of subjects) {
    const started = performance.now();
    for (const query of queries) subject.reader.search(query, { k: K, ef });
    subject.us = Math.min(subject.us, ((performance.now() - started) * 1000) / QUERIES);
  }
}

console.log(`${count} x ${dimension}, ef ${ef}`);
for (const { name, reader, linkRate, us } of subjects) {
  let found = 0;
  for (const query of queries) {
    const truth = new Set(single.scan(query, { k: K, fromRow: 0, toRow: count }).rows);
    found += reader.search(query, { k: K, ef }).rows.filter((row) => truth.has(row)).length;
  }
  const recall = (found / (QUERIES * K)).toFixed(4);
  console.log(`${name.padEnd(10)} ${us.toFixed(1).padStart(7)} us a search, recall ${recall}, ${linkRate} rows linked a second`);
}
