// SPDX-License-Identifier: Apache-2.0
import { temporaryDirectory } from '@sextant/foundation-testing';
import { createCollectionStorage } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import { configFromRequest } from '../model/collection-config.ts';
import { silentLog } from '../model/log.ts';
import { CollectionMemory, ShardsMissingError } from './collection-memory.ts';
import { MemoryBudget } from './memory-budget.ts';

const WIDE = { size: 65_536, distance: 'Dot' } as const;
const WIDE_BYTES = WIDE.size * 5;

async function wideMemory({ limit, used = () => 0 }: { limit: number; used?: () => number }) {
  const scratch = await temporaryDirectory();
  const directory = `${scratch.path}/wide`;
  const storage = createCollectionStorage({ directory });
  const memory = new CollectionMemory({
    name: 'wide',
    directory,
    config: configFromRequest({ vectors: WIDE }),
    storage,
    log: silentLog,
    budget: new MemoryBudget({ limit, used: () => used() + memory.bytesUsed }),
    rowsPerShard: 64,
  });
  const dispose = async () => {
    storage.close();
    await scratch[Symbol.asyncDispose]();
  };
  return { memory, [Symbol.asyncDispose]: dispose };
}

test('what does not fit is refused with the limit, and what fits afterwards is taken', async () => {
  await using subject = await wideMemory({ limit: 10 * WIDE_BYTES });
  expect(() => subject.memory.takeRows(20)).toThrow(`may take ${10 * WIDE_BYTES} bytes`);
  expect(subject.memory.takeRows(2)).toEqual([0, 1]);
});

test('the memory of all collections counts', async () => {
  const others = { bytes: 0 };
  await using subject = await wideMemory({ limit: 100 * WIDE_BYTES, used: () => others.bytes });
  expect(subject.memory.takeRows(2)).toEqual([0, 1]);
  others.bytes = 100 * WIDE_BYTES;
  expect(() => subject.memory.takeRows(20)).toThrow('There is not enough memory');
  others.bytes = 0;
  expect(subject.memory.takeRows(1)).toEqual([2]);
});

test('rows that have no shard are refused until every thread has it, and rows without memory open none', async () => {
  await using subject = await wideMemory({ limit: 100 * WIDE_BYTES });
  expect(() => subject.memory.takeRows(1000)).toThrow('There is not enough memory');
  expect(() => subject.memory.takeRows(65)).toThrow(ShardsMissingError);
  await subject.memory.openShards(65);
  expect(subject.memory.handles.get(0)?.space.shards).toHaveLength(2);
  expect(() => subject.memory.takeRows(65)).toThrow(ShardsMissingError);
  subject.memory.shardsKnown();
  expect(subject.memory.takeRows(65)).toHaveLength(65);
});
