/**
 * Prints the build rate and, for beam widths, microseconds a query beside recall@10. Run it with
 * `node vector/kernel/src/kernel.bench.ts [points] [dimension] [clusters]`.
 */
import { clusteredVectors } from './clustered-vectors.ts';
import { attachIndexer, createVectorSpace } from './index.ts';

const [count = 20_000, dimension = 128, clusters = 200] = process.argv.slice(2).map(Number);
const queryCount = 500;
const k = 10;

const vectors = clusteredVectors({ count: count + queryCount, dimension, clusters, seed: 1 });
const queries = vectors.splice(count);
const space = createVectorSpace({ dimension, metric: 'dot', m: 16, efConstruct: 100, seed: 1 });
const indexer = attachIndexer(space.handle);

const putMs = elapsedMs(() => {
  for (const [row, vector] of vectors.entries()) space.put(row, vector, row);
});
const linkMs = elapsedMs(() => {
  while (indexer.link(1000) > 0) indexer.reclaim();
});
console.log(`${count} x ${dimension}, put ${rate(putMs)}/s, link ${rate(linkMs)}/s, ${(space.bytesUsed / 2 ** 20).toFixed(0)} MiB`);

const truth = queries.map((query) => space.scan(query, { k, fromRow: 0, toRow: count }).rows);
const scanMs = elapsedMs(() => {
  for (const query of queries.slice(0, 50)) space.scan(query, { k, fromRow: 0, toRow: count });
});
console.log(`scan ${((scanMs / 50) * 1000).toFixed(0)} us/query`);

for (const ef of [10, 16, 24, 32, 48, 64, 96, 128]) {
  const answers = queries.map((query) => space.search(query, { k, ef }).rows);
  const found = answers.reduce((sum, rows, i) => sum + rows.filter((row) => truth[i]?.includes(row)).length, 0);
  const rounds = 5;
  const ms = elapsedMs(() => {
    for (let round = 0; round < rounds; round++) for (const query of queries) space.search(query, { k, ef });
  });
  console.log(`ef ${ef}: ${((ms / queryCount / rounds) * 1000).toFixed(1)} us/query, recall@${k} ${(found / queryCount / k).toFixed(4)}`);
}

function elapsedMs(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function rate(ms: number): string {
  return ((count / ms) * 1000).toFixed(0);
}
