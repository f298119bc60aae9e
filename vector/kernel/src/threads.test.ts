import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { clusteredVectors } from './clustered-vectors.ts';
import { checkGraph } from './graph-check.ts';
import { createVectorSpace, type SpaceWriter } from './index.ts';
import { type Hammer, type HammerReport, hammerVector } from './threads.worker.ts';

const dimension = 32;
const rows = 3000;
const puts = 60_000;

test('[K4] [K5] [K9] [K22] threads search, link, repair, write codes and reuse rows at once, and no answer is torn, missed or deleted', async () => {
  const space = createVectorSpace({ dimension, metric: 'euclid', m: 8, efConstruct: 32, seed: 1 });
  // For each row the generation of its vector, odd while it is live; readers judge their answers by it.
  const generations = new Int32Array(new SharedArrayBuffer(rows * 4));
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const hammer: Omit<Hammer, 'role' | 'seed'> = { handle: space.handle, generations, stop, dimension };
  const workers = (['indexer', 'linker', 'reader', 'reader'] as const).map(
    (role, seed) => new Worker(new URL('./threads.worker.ts', import.meta.url), { workerData: { ...hammer, role, seed } satisfies Hammer }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const reports: Promise<HammerReport>[] = workers.map(async (worker) => (await once(worker, 'message'))[0]);

  const random = seededRandom(5);
  let done = 0;
  while (done < puts && Atomics.load(stop, 0) === 0) {
    // Lets the indexer catch up, so that rows come free and are used again.
    if (space.pendingCount > 1000) Atomics.wait(stop, 0, 0, 2);
    const row = random.integer(rows);
    const generation = Atomics.load(generations, row);
    if (generation % 2 === 1) {
      space.remove(row);
      Atomics.store(generations, row, generation + 1);
    } else if (space.isFree(row)) {
      Atomics.store(generations, row, generation + 1);
      space.put(row, hammerVector(row, generation + 1, dimension), generation + 1);
      done++;
    } else if (done % 64 === 0) {
      Atomics.wait(stop, 0, 0, 1);
    }
  }
  Atomics.store(stop, 0, 1);
  let linked = 0;
  for (const report of await Promise.all(reports)) {
    if (report.kind === 'died') throw report.error;
    if (report.kind === 'indexer') {
      expect(report.repairs).toBeGreaterThan(3);
      linked += report.linked;
    } else if (report.kind === 'linker') {
      linked += report.linked;
    } else {
      expect(report.faults).toEqual([]);
      expect(report.searches).toBeGreaterThan(100);
      expect(report.missed / report.wantedLive).toBeLessThan(0.02);
    }
  }
  expect(linked).toBeGreaterThan(rows);
  expect(checkGraph(space.handle).faults).toEqual([]);
  expect(space.liveCount).toBe(generations.filter((generation) => generation % 2 === 1).length);
});

/** Three threads link all rows of the space; returns how many each did. */
async function linkByThree(space: SpaceWriter): Promise<readonly number[]> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const hammer: Omit<Hammer, 'role'> = { handle: space.handle, generations: new Int32Array(), stop, dimension, seed: 1 };
  const workers = (['indexer', 'linker', 'linker'] as const).map(
    (role) => new Worker(new URL('./threads.worker.ts', import.meta.url), { workerData: { ...hammer, role } satisfies Hammer }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const reports: Promise<HammerReport>[] = workers.map(async (worker) => (await once(worker, 'message'))[0]);
  while (space.pendingCount > 0 && Atomics.load(stop, 0) === 0) Atomics.wait(stop, 0, 0, 5);
  Atomics.store(stop, 0, 1);
  return (await Promise.all(reports)).map((report) => {
    if (report.kind === 'died') throw report.error;
    return report.kind === 'reader' ? 0 : report.linked;
  });
}

test.each(['dot', 'euclid'] as const)(
  '[K7] [K11] [K12] [K24] three threads build one graph by %s, whole and as good as one thread builds it',
  async (metric) => {
    const count = 12_000;
    const vectors = clusteredVectors({ count: count + 100, dimension, clusters: 100, seed: 3 });
    const queries = vectors.splice(count);
    const space = createVectorSpace({ dimension, metric, m: 16, efConstruct: 100, seed: 1 });
    vectors.forEach((vector, row) => {
      space.put(row, vector, row);
    });
    const linked = await linkByThree(space);
    expect(linked.reduce((sum, each) => sum + each)).toBe(count);
    const report = checkGraph(space.handle);
    expect(report.faults).toEqual([]);
    expect(report.reachableShare).toBeGreaterThan(0.995);
    let found = 0;
    for (const query of queries) {
      const truth = new Set(space.scan(query, { k: 10, fromRow: 0, toRow: count }).rows);
      found += space.search(query, { k: 10, ef: 128 }).rows.filter((row) => truth.has(row)).length;
    }
    expect(found / (queries.length * 10)).toBeGreaterThan(0.97);
  },
);

test('[K12] [K24] three threads hang thousands of equal vectors on each other and lose none', async () => {
  const count = 60_000;
  const space = createVectorSpace({ dimension, metric: 'euclid', m: 4, efConstruct: 16, seed: 1 });
  for (let row = 0; row < count; row++) space.put(row, new Float32Array(dimension).fill(row % 20), row);
  await linkByThree(space);
  const report = checkGraph(space.handle);
  expect(report.faults).toEqual([]);
  expect(report.reachableShare).toBeGreaterThan(0.995);
});
