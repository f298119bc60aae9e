// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { roundsOf, temporaryDirectory, withSeed } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { createCollectionStorage, openCollectionStorage } from './collection-storage.ts';
import { INDICES, LIST, stateAfter } from './fixture/crash-script.ts';
import type { StorageReader } from './storage.ts';

const WRITER = fileURLToPath(new URL('./fixture/crash-writer.ts', import.meta.url));
const ROUNDS = roundsOf({ quick: 4, long: 40 });
const LIFE_MS_MAX = 60;

/** Lets a writer work until it is killed `lifeMs` after its first operation; returns the last operation that it acknowledged. */
async function writeUntilKilled(directory: string, seed: number, lifeMs: number): Promise<number> {
  const child = spawn(process.execPath, [WRITER, directory, String(seed)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  await sleep(lifeMs);
  child.kill('SIGKILL');
  await closed;
  // What follows the last line end was cut off.
  return Number(output.split('\n').slice(0, -1).at(-1));
}

function expectState(storage: StorageReader, seed: number): void {
  const expected = stateAfter(seed, storage.sequence);
  const rows = [...expected.values()].map(({ row }) => row).sort((left, right) => left - right);
  expect(storage.pointCount).toBe(expected.size);
  expect([...storage.rows()]).toEqual(rows);
  expect([...storage.posting(LIST)]).toEqual(rows);
  const found = storage.ids({ limit: 1000 }).map(({ id, row }) => [id, { row, version: storage.point(row)?.version }]);
  expect(found).toEqual([...expected].sort(([left], [right]) => left - right));
  const vectors: number[][] = [];
  for (const { row, version, vector } of storage.vectors(0)) vectors.push([row, version, ...vector]);
  expect(vectors).toEqual(
    [...expected].map(([id, { row, version }]) => [row, version, id, row, version]).sort(([left = 0], [right = 0]) => left - right),
  );
}

/** The lists of sparse vectors agree with the points that have them. */
function expectSparse(storage: StorageReader, seed: number): void {
  const expected = [...stateAfter(seed, storage.sequence)].sort(([, left], [, right]) => left.row - right.row);
  const listed = (index: number) => {
    const entries: number[][] = [];
    const all = { fromRow: 0, toRow: storage.sparseRowBound(0) };
    storage.visitSparse(0, index, all, ({ fromRow, rows, values }) => {
      for (const [at, row] of rows.entries()) entries.push([fromRow + row, values[at] ?? 0]);
    });
    expect(storage.countSparse(0, index)).toBe(entries.length);
    return entries;
  };
  expect(storage.countSparseVectors(0)).toBe(expected.length);
  expect(listed(INDICES)).toEqual(expected.map(([, { row, version }]) => [row, version]));
  for (let index = 0; index < INDICES; index++) {
    expect(listed(index)).toEqual(expected.filter(([id]) => id % INDICES === index).map(([, { row }]) => [row, 1]));
  }
}

test('[S1] [S18] a store whose process is killed at any moment keeps what it acknowledged, and nothing in part', async () => {
  await withSeed(async (random, seed) => {
    await using scratch = await temporaryDirectory();
    const directory = `${scratch.path}/collection`;
    createCollectionStorage({ directory }).close();
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round++) {
      acknowledged = await writeUntilKilled(directory, seed, random.integer(LIFE_MS_MAX));
      const storage = openCollectionStorage({ directory });
      // One more may have reached the disk before its acknowledgement was written.
      expect([acknowledged, acknowledged + 1], `round ${round}`).toContain(storage.sequence);
      expectState(storage, seed);
      expectSparse(storage, seed);
      storage.close();
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS);
  });
});
