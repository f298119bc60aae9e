import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { checkGraph } from './graph-check.ts';
import { createVectorSpace } from './index.ts';
import { type Hammer, type HammerReport, hammerVector } from './threads.worker.ts';

const dimension = 32;
const rows = 3000;
const puts = 60_000;

test('[K4] [K5] [K9] threads search, link, repair and reuse rows at once, and no answer is torn, missed or deleted', async () => {
  const space = createVectorSpace({ dimension, metric: 'euclid', m: 8, efConstruct: 32, seed: 1 });
  // For each row the generation of its vector, odd while it is live; readers judge their answers by it.
  const generations = new Int32Array(new SharedArrayBuffer(rows * 4));
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const hammer: Omit<Hammer, 'role' | 'seed'> = { handle: space.handle, generations, stop, dimension };
  const workers = (['indexer', 'reader', 'reader'] as const).map(
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
  for (const report of await Promise.all(reports)) {
    if (report.kind === 'died') throw report.error;
    if (report.kind === 'indexer') {
      expect(report.repairs).toBeGreaterThan(3);
      expect(report.linked).toBeGreaterThan(rows);
    } else {
      expect(report.faults).toEqual([]);
      expect(report.searches).toBeGreaterThan(100);
      expect(report.missed / report.wantedLive).toBeLessThan(0.02);
    }
  }
  expect(checkGraph(space.handle).faults).toEqual([]);
  expect(space.liveCount).toBe(generations.filter((generation) => generation % 2 === 1).length);
});
