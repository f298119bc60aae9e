// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { CollectionGauges } from './collection-handle.ts';

test('who waits for the memory goes on when it has reached the operation, not before', async () => {
  const shared = CollectionGauges.allocate();
  const [reader, writer] = [new CollectionGauges(shared), new CollectionGauges(shared)];
  let reached = false;
  const waiting = reader.memoryReaches(2).then(() => {
    reached = true;
  });
  writer.memorySequence = 1;
  await new Promise((resolve) => setImmediate(resolve));
  expect(reached).toBe(false);
  writer.memorySequence = 3;
  await waiting;
  expect(reader.memorySequence).toBe(3);
});

test('nobody waits for what the memory has already', async () => {
  const gauges = new CollectionGauges(CollectionGauges.allocate());
  gauges.memorySequence = 7;
  await gauges.memoryReaches(7);
  expect(gauges.memorySequence).toBe(7);
});

test('who waits for the graphs goes on when a thread has worked on them, also where that was before the wait', async () => {
  const shared = CollectionGauges.allocate();
  const [writer, indexer] = [new CollectionGauges(shared), new CollectionGauges(shared)];
  const seen = writer.graphWork;
  let isDone = false;
  const waiting = writer.graphWorkSince(seen).then(() => {
    isDone = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDone).toBe(false);
  indexer.noteGraphWork();
  await waiting;
  await writer.graphWorkSince(seen);
});
