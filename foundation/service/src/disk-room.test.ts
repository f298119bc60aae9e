// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { openSmallDisk, smallDiskProblem } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { lockDataDirectory } from './data-directory.ts';
import { type DiskFigures, DiskRoom, isDescriptorError, isDiskFullError } from './disk-room.ts';

const MIB = 1024 * 1024;
const problem = smallDiskProblem();

test('a disk with room lets writes in that leave the reserve', () => {
  const directory = mkdtempSync(join(tmpdir(), 'disk-room-'));
  const shared = DiskRoom.allocate();
  using _watch = new DiskRoom(shared).watch({ directory, reserveBytes: MIB, clock: systemClock, onChange: () => undefined });
  const elsewhere = new DiskRoom(shared);
  expect(elsewhere.figures).toMatchObject({ reserve: MIB, isFull: false });
  expect(elsewhere.allows(0)).toBe(true);
  expect(elsewhere.allows(elsewhere.figures.free)).toBe(false);
  rmSync(directory, { recursive: true });
});

test.skipIf(problem !== undefined)('a full disk is seen, and room again too, without a restart', async () => {
  using disk = openSmallDisk(8 * MIB);
  disk.fill();
  const changes: DiskFigures[] = [];
  const room = new DiskRoom(DiskRoom.allocate());
  using _watch = room.watch({
    directory: disk.path,
    reserveBytes: MIB,
    clock: systemClock,
    onChange: (figures) => void changes.push(figures),
  });
  expect(changes).toMatchObject([{ free: 0, isFull: true }]);
  expect(room.allows(0)).toBe(false);
  disk.empty();
  await expect.poll(() => changes.length).toBe(2);
  expect(changes[1]).toMatchObject({ isFull: false });
  expect(room.allows(0)).toBe(true);
});

test.skipIf(problem !== undefined)('a disk that refuses writes in spite of its statistics is full until one succeeds', async () => {
  using disk = openSmallDisk(8 * MIB);
  const room = new DiskRoom(DiskRoom.allocate());
  let changes = 0;
  using _watch = room.watch({ directory: disk.path, reserveBytes: 1, clock: systemClock, onChange: () => void changes++ });
  room.noteRefusal();
  expect(room.allows(0)).toBe(false);
  // Room for the reserve, and none for the probe.
  disk.fill(MIB / 2);
  await expect.poll(() => changes).toBe(1);
  expect(room.figures).toMatchObject({ isFull: true });
  disk.empty();
  await expect.poll(() => room.figures.isFull).toBe(false);
  expect(readdirSync(disk.path)).toEqual([]);
});

test.skipIf(problem !== undefined)('the lock of a data directory is taken on a full disk', () => {
  using disk = openSmallDisk(MIB);
  lockDataDirectory(disk.path)[Symbol.dispose]();
  disk.fill();
  using _lock = lockDataDirectory(disk.path);
  expect(() => lockDataDirectory(disk.path)).toThrow(/in use by/);
});

test.runIf(problem !== undefined)(`tests of a full disk are skipped: ${problem}`, () => undefined);

test('errors of Node.js, LMDB and SQLite are told apart, also as causes', () => {
  const coded = (code: unknown) => Object.assign(new Error('failed'), { code });
  for (const code of ['ENOSPC', 'EDQUOT', 28]) expect(isDiskFullError(new Error('outer', { cause: coded(code) }))).toBe(true);
  expect(isDiskFullError(Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }))).toBe(true);
  expect(isDiskFullError(Object.assign(new Error('busy'), { code: 'ERR_SQLITE_ERROR', errcode: 5 }))).toBe(false);
  expect(isDiskFullError(coded('ENOENT'))).toBe(false);
  expect(isDescriptorError(new Error('outer', { cause: coded('EMFILE') }))).toBe(true);
  expect(isDescriptorError(coded(24))).toBe(true);
  expect(isDescriptorError(coded('ENOSPC'))).toBe(false);
});
