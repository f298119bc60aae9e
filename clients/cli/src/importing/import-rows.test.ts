// SPDX-License-Identifier: Apache-2.0
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import type { ReadRow } from '../rows/row-source.ts';
import { type ImportOptions, importRows } from './import-rows.ts';
import { type ImportJob, openImportState } from './import-state.ts';

const OPTIONS: ImportOptions = {
  mapping: { vectors: [], text: [], cellsAreText: false, firstId: 0 },
  from: 0,
  batchRows: 2,
  batchBytes: 1e6,
  batchesInFlight: 2,
  onFault: 'stop',
  signal: new AbortController().signal,
};

async function* rows(count: number, faults: readonly number[] = []): AsyncGenerator<ReadRow> {
  for (let row = 0; row < count; row += 1) {
    yield faults.includes(row) ? { kind: 'fault', reason: 'is broken' } : { kind: 'row', row: { vector: [row] } };
  }
}

/** A service that answers when the test says so, in any order. */
function service() {
  const waiting: { readonly ids: readonly unknown[]; readonly answer: (error?: Error) => void }[] = [];
  const acknowledged: number[] = [];
  const leftOut: string[] = [];
  return {
    waiting,
    acknowledged,
    leftOut,
    events: {
      send: (points: readonly { readonly id: unknown }[]) =>
        new Promise<void>((resolve, reject) => {
          waiting.push({ ids: points.map(({ id }) => id), answer: (error) => (error === undefined ? resolve() : reject(error)) });
        }),
      refusal: (error: unknown) => (error instanceof Refusal ? error.message : undefined),
      acknowledged: async (count: number) => void acknowledged.push(count),
      leftOut: (row: number, reason: string) => void leftOut.push(`${row} ${reason}`),
    },
  };
}

class Refusal extends Error {}

const turns = async () => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
};

test('batches go out two at a time and count in the order of the file', async () => {
  const { waiting, acknowledged, events } = service();
  const done = importRows(rows(5), OPTIONS, events);
  await turns();
  expect(waiting.map(({ ids }) => ids)).toEqual([
    [0, 1],
    [2, 3],
  ]);
  waiting[1]?.answer();
  await turns();
  expect(acknowledged).toEqual([]);
  waiting[0]?.answer();
  await turns();
  expect(acknowledged).toEqual([2, 4]);
  waiting[2]?.answer();
  expect(await done).toEqual({ rows: 5, sent: 5, leftOut: 0 });
  expect(acknowledged).toEqual([2, 4, 5, 5]);
});

test('what arrived before a refusal counts, what came after it does not', async () => {
  const { waiting, acknowledged, events } = service();
  const done = importRows(rows(6), { ...OPTIONS, batchesInFlight: 3 }, events);
  const outcome = expect(done).rejects.toThrow('refused');
  await turns();
  waiting[2]?.answer();
  waiting[1]?.answer(new Error('refused'));
  waiting[0]?.answer();
  await outcome;
  expect(acknowledged).toEqual([2]);
});

test('a broken row ends the import after the rows before it, or is left out', async () => {
  const { waiting, acknowledged, events, leftOut } = service();
  const stopped = expect(importRows(rows(5, [3]), OPTIONS, events)).rejects.toThrow('row 4 is broken');
  await turns();
  waiting[0]?.answer();
  waiting[1]?.answer();
  await stopped;
  expect(acknowledged).toEqual([2, 3]);

  const other = service();
  const skipped = importRows(rows(4, [1, 3]), { ...OPTIONS, onFault: 'skip' }, other.events);
  await turns();
  other.waiting[0]?.answer();
  expect(await skipped).toEqual({ rows: 4, sent: 2, leftOut: 2 });
  expect(other.waiting[0]?.ids).toEqual([0, 2]);
  expect(other.leftOut).toEqual(['2 is broken', '4 is broken']);
  expect(other.acknowledged.at(-1)).toBe(4);
  expect(leftOut).toEqual([]);
});

test('a batch that is refused before a broken row is what ends the import', async () => {
  const { waiting, acknowledged, events } = service();
  const stopped = expect(importRows(rows(3, [2]), OPTIONS, events)).rejects.toThrow('row 1 is refused as point 0: no');
  await turns();
  for (let request = 0; request < 2; request += 1) {
    waiting[request]?.answer(new Refusal('points[0]: no'));
    await turns();
  }
  await stopped;
  expect(acknowledged).toEqual([0]);
});

test('rows that the service refuses are left out, each with its reason', async () => {
  const { waiting, acknowledged, leftOut, events } = service();
  const done = importRows(rows(2), { ...OPTIONS, onFault: 'skip' }, events);
  await turns();
  waiting[0]?.answer(new Refusal('both'));
  await turns();
  waiting[1]?.answer();
  await turns();
  waiting[2]?.answer(new Refusal('Dimension mismatch'));
  expect(await done).toEqual({ rows: 2, sent: 1, leftOut: 1 });
  expect(leftOut).toEqual(['2 is refused as point 1: Dimension mismatch']);
  expect(acknowledged.at(-1)).toBe(2);
});

test('an interrupted import waits for what is on its way and reads no further', async () => {
  const { waiting, acknowledged, events } = service();
  const interruption = new AbortController();
  const done = importRows(rows(100), { ...OPTIONS, signal: interruption.signal }, events);
  await turns();
  interruption.abort();
  for (const { answer } of waiting) answer();
  await turns();
  for (const { answer } of waiting) answer();
  await done;
  expect(acknowledged.at(-1)).toBeLessThan(10);
  expect(waiting).toHaveLength((acknowledged.at(-1) ?? 0) / 2);
});

test('a batch ends at its bytes too', async () => {
  const { waiting, events } = service();
  const done = importRows(rows(2), { ...OPTIONS, batchRows: 100, batchBytes: 1 }, events);
  await turns();
  expect(waiting.map(({ ids }) => ids)).toEqual([[0], [1]]);
  for (const { answer } of waiting) answer();
  await done;
});

const JOB: ImportJob = { files: [{ path: '/a', bytes: 1, modified_ms: 2 }], url: 'http://x', collection: 'c', mapping: '{}' };

test('a state is taken up by the same import alone', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'state');
  const first = await openImportState(path, JOB, false);
  expect(first.rows).toBe(0);
  await first.save(500);
  expect((await openImportState(path, JOB, false)).rows).toBe(500);
  expect((await openImportState(path, { ...JOB, collection: 'd' }, true)).rows).toBe(0);
  await expect(openImportState(path, { ...JOB, collection: 'd' }, false)).rejects.toThrow('writes to c at http://x');
  await expect(openImportState(path, { ...JOB, mapping: '{"id":"x"}' }, false)).rejects.toThrow('maps columns differently');
  await expect(openImportState(path, { ...JOB, files: [] }, false)).rejects.toThrow('other files, or the files have changed');
  await first.remove();
  await expect(readFile(path)).rejects.toThrow('ENOENT');
  expect((await openImportState(path, JOB, false)).rows).toBe(0);
});

test.each(['', '{', '{"version":2}', '{"version":1,"job":{},"rows":-1}'])('a state of %j is refused', async (text) => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'state');
  await writeFile(path, text);
  await expect(openImportState(path, JOB, false)).rejects.toThrow('is not the state file of an import');
  expect((await openImportState(path, JOB, true)).rows).toBe(0);
});

test('a state that cannot be written says what to do', async () => {
  await using directory = await temporaryDirectory();
  const state = await openImportState(join(directory.path, 'nosuch', 'state'), JOB, false);
  await expect(state.save(1)).rejects.toMatchObject({ advice: expect.stringContaining('--state') });
});
