// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { upsertAll } from './upsert-all.ts';

const STORED = { operation_id: 1, status: 'Completed' } as const;

function* points(count: number) {
  for (let id = 0; id < count; id += 1) yield { id, vector: [id] };
}

/** A service that stores a batch when the test releases it. */
function slowService() {
  const waiting: { readonly ids: unknown[]; store: () => void; fail: (error: Error) => void }[] = [];
  const send = (batch: readonly { readonly id: unknown }[], { signal }: { signal?: AbortSignal | undefined }) =>
    new Promise<typeof STORED>((resolve, reject) => {
      waiting.push({ ids: batch.map(({ id }) => id), store: () => resolve(STORED), fail: reject });
      signal?.addEventListener('abort', () => reject(new Error('cancelled')));
    });
  return { waiting, send };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test('batches have the requested size, the last one holds the rest', async () => {
  const sizes: number[] = [];
  const send = async (batch: readonly unknown[]) => {
    sizes.push(batch.length);
    return STORED;
  };
  const result = await upsertAll(points(7), send, { batchSize: 3 });
  expect(sizes).toEqual([3, 3, 1]);
  expect(result).toEqual({ pointsStored: 7, batchesStored: 3 });
  expect(await upsertAll([], async () => STORED)).toEqual({ pointsStored: 0, batchesStored: 0 });
});

test('at most `concurrency` batches are under way, and the source is read no further', async () => {
  const { waiting, send } = slowService();
  let taken = 0;
  function* counted() {
    for (const point of points(100)) {
      taken += 1;
      yield point;
    }
  }
  const running = upsertAll(counted(), send, { batchSize: 2, concurrency: 3 });
  await settled();
  expect(waiting.map(({ ids }) => ids)).toEqual([
    [0, 1],
    [2, 3],
    [4, 5],
  ]);
  expect(taken).toBe(6);
  waiting[1]?.store();
  await settled();
  expect(waiting).toHaveLength(4);
  for (let index = 0; index < 50; index += 1) {
    waiting[index]?.store();
    await settled();
  }
  expect(await running).toEqual({ pointsStored: 100, batchesStored: 50 });
});

test('the first batch that fails ends the others and is what is thrown; nothing more is sent', async () => {
  const { waiting, send } = slowService();
  const running = upsertAll(points(100), send, { batchSize: 2, concurrency: 2 });
  await settled();
  waiting[1]?.fail(new Error('no memory'));
  await expect(running).rejects.toThrow('no memory');
  expect(waiting).toHaveLength(2);
});

test('a source that fails ends what is under way as an error of its own', async () => {
  async function* broken() {
    yield* points(2);
    throw new Error('the file ends early');
  }
  await expect(upsertAll(broken(), async () => STORED, { batchSize: 1 })).rejects.toThrow('the file ends early');
});

test('what cannot be is refused before anything is taken', async () => {
  for (const options of [{ batchSize: 0 }, { concurrency: 0 }, { batchSize: 1.5 }]) {
    await expect(upsertAll(points(1), async () => STORED, options)).rejects.toThrow('must be a whole number of at least 1');
  }
});
