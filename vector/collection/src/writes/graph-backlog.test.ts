// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { manualClock, seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openSystemStorage } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import { GraphIndexer } from '../graph/indexer.ts';
import { silentLog } from '../model/log.ts';
import { Catalog } from './catalog.ts';
import { upsertJob } from './point-jobs.ts';

const SIZE = 100;
/** More than may wait for the graph. */
const POINTS = 2000;

/** A catalog whose clock stands still, with an indexer that has not been started. */
async function subject() {
  const scratch = await temporaryDirectory();
  const system = openSystemStorage({ directory: join(scratch.path, 'system') });
  const clock = manualClock();
  const indexer = new GraphIndexer({ log: silentLog, clock });
  const catalog = new Catalog({
    dataDirectory: scratch.path,
    system,
    log: silentLog,
    clock,
    listener: { event: async (event) => indexer.apply(event), written: (name) => indexer.written(name) },
  });
  await catalog.create('a', {
    vectors: { size: SIZE, distance: 'Euclid' },
    hnsw_config: { m: 8, ef_construct: 16 },
    optimizers_config: { indexing_threshold: 1 },
  });
  const random = seededRandom(3);
  const write = (firstId: number) => {
    const points = Array.from({ length: POINTS }, (_, index) => {
      return { id: firstId + index, vector: Array.from({ length: SIZE }, () => Math.fround(random.next())) };
    });
    const writer = catalog.writer('a');
    return writer.points(upsertJob(writer.schemas, points), { vectors: POINTS });
  };
  const dispose = async () => {
    await indexer.stop();
    await catalog.close();
    system.close();
    await scratch[Symbol.asyncDispose]();
  };
  return { catalog, indexer, write, [Symbol.asyncDispose]: dispose };
}

/** The second of two large writes, which finds the rows of the first one outside the graph. */
async function waitingWrite({ write }: Awaited<ReturnType<typeof subject>>) {
  await write(0);
  let isDone = false;
  const done = write(POINTS).then(() => {
    isDone = true;
  });
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  expect(isDone).toBe(false);
  return { done };
}

test('a write waits until the graph has kept up, and goes on then whatever the clock says', async () => {
  await using waiting = await subject();
  const { done } = await waitingWrite(waiting);
  waiting.indexer.start();
  await done;
});

test('a write that waits for the graph goes on when the service ends', async () => {
  await using waiting = await subject();
  const { done } = await waitingWrite(waiting);
  waiting.catalog.hurry();
  await done;
});

test('a write that waits for the graph goes on when its collection is closed', async () => {
  await using waiting = await subject();
  const { done } = await waitingWrite(waiting);
  await waiting.catalog.close();
  await done;
});
