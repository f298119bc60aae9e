// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { attachIndexer, createVectorSpace } from './index.ts';
import { attachKernel, type KernelExports } from './kernel.ts';

const free = 0;
const linked = 2;
const indexed = 3;
const retired = 6;

function threeRows() {
  const space = createVectorSpace({ dimension: 2, metric: 'euclid', m: 4, efConstruct: 8, seed: 1 });
  for (let row = 0; row < 3; row++) space.put(row, Float32Array.of(row, 1), row);
  return { space, indexer: attachIndexer(space.handle), reader: readerInTheMiddle(space.handle) };
}

/** A reader that a test can stop between the beginning and the end of a search. */
function readerInTheMiddle(handle: Parameters<typeof attachKernel>[0]): KernelExports {
  const reader = attachKernel(handle);
  expect(reader.claimSlot()).toBe(1);
  return reader;
}

test('[K4] a row stays in the scan until the readers have left that set out before it was linked', () => {
  const { indexer, reader } = threeRows();
  reader.enter();
  indexer.link(10);
  indexer.reclaim();
  indexer.reclaim();
  expect(reader.rowState(1)).toBe(linked);
  reader.leave();
  indexer.reclaim();
  expect(reader.rowState(1)).toBe(indexed);
});

test('[K4] readers that set out later hold nothing up', () => {
  const { indexer, reader } = threeRows();
  reader.enter();
  indexer.link(10);
  indexer.reclaim();
  reader.leave();
  reader.enter();
  indexer.reclaim();
  expect(reader.rowState(1)).toBe(indexed);
});

test('[K9] a row that was never linked is free when the readers have left that could see it', () => {
  const { space, indexer, reader } = threeRows();
  reader.enter();
  space.remove(1);
  indexer.reclaim();
  indexer.reclaim();
  expect(reader.rowState(1)).toBe(retired);
  expect(space.isFree(1)).toBe(false);
  reader.leave();
  indexer.reclaim();
  expect(reader.rowState(1)).toBe(free);
  space.put(1, Float32Array.of(5, 5), 9);
  expect(space.has(1)).toBe(true);
});

test('[K9] [K13] a deleted row of the graph is free after the repair, when the readers have left that could see it', () => {
  const { space, indexer, reader } = threeRows();
  indexer.link(10);
  indexer.reclaim();
  space.remove(1);
  indexer.reclaim();
  expect(space.isFree(1)).toBe(false);
  reader.enter();
  expect(indexer.repair(100)).toBe(true);
  indexer.reclaim();
  indexer.reclaim();
  expect(space.isFree(1)).toBe(false);
  reader.leave();
  indexer.reclaim();
  expect(space.isFree(1)).toBe(true);
});

test('[K9] a row that was deleted while it waited to leave the scan is free only when later readers have left as well', () => {
  const { space, indexer, reader: early } = threeRows();
  early.enter();
  indexer.link(10);
  // Gathers the linked rows, which wait for the early reader.
  indexer.reclaim();
  const late = readerInTheMiddle(space.handle);
  late.enter();
  space.remove(1);
  while (!indexer.repair(10));
  expect(late.rowState(1)).toBe(retired);
  early.leave();
  indexer.reclaim();
  indexer.reclaim();
  expect(late.rowState(1)).toBe(retired);
  late.leave();
  indexer.reclaim();
  expect(late.rowState(1)).toBe(free);
});

test('[K32] a search that traps holds no row back', () => {
  const { space, indexer, reader } = threeRows();
  indexer.link(10);
  indexer.reclaim();
  const query = Float32Array.of(1, 1);
  // Changes the address of the only block, the first in the directory, to one without memory.
  const words = new Uint32Array(space.handle.memory.buffer);
  const directory = words.indexOf(reader.vectorAddress(0) >>> 0, 2048);
  const block = words[directory] ?? 0;
  words[directory] = 0xff000000;
  const searches = [
    () => space.search(query, { k: 1, ef: 8 }),
    () => space.scan(query, { k: 1, fromRow: 0, toRow: 3 }),
    () => space.scanQuantized(query, { k: 1, fromRow: 0, toRow: 3 }),
    () => space.scanRows(query, { k: 1, rows: Uint32Array.of(1) }),
    () => space.scanNewer(query, { k: 1, version: -1 }),
    () => space.passingShare(query, Uint32Array.of(7)),
  ];
  for (const search of searches) {
    words[directory] = 0xff000000;
    expect(search).toThrow(WebAssembly.RuntimeError);
    words[directory] = block;
    const row = space.rowBound;
    space.put(row, query, row);
    space.remove(row);
    indexer.reclaim();
    expect(reader.rowState(row)).toBe(free);
  }
});
