// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataDirectoryInUseError, DataDirectoryUnusableError, holderInLocks, lockDataDirectory } from './data-directory.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'data-directory-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('the directory is created, and free again when the lock is released', () => {
  const directory = join(root, 'deep', 'data');
  lockDataDirectory(directory)[Symbol.dispose]();
  using _again = lockDataDirectory(directory);
});

test('a second holder is refused with the directory and what to do', () => {
  using _held = lockDataDirectory(root);
  expect(() => lockDataDirectory(root)).toThrow(DataDirectoryInUseError);
  expect(() => lockDataDirectory(root)).toThrow(`The data directory ${root} is in use by`);
  expect(() => lockDataDirectory(root)).toThrow('SERVICE_DATA_DIR');
});

test('a second holder learns which process holds the directory', () => {
  using _held = lockDataDirectory(root);
  expect(() => lockDataDirectory(root)).toThrow(`in use by process ${process.pid}.`);
});

test('of two disks whose lock files have the same inode, the process that locks this one is named', () => {
  const table = [
    '1: POSIX  ADVISORY  WRITE 17290 00:2a:5 1073741824 1073742335 ',
    '2: POSIX  ADVISORY  WRITE 17282 00:2b:5 1073741824 1073742335 ',
    '3: POSIX  ADVISORY  WRITE 17300 103:12c:5 1073741824 1073742335 ',
  ].join('\n');
  expect(holderInLocks(table, { dev: 0x2b, ino: 5 })).toBe(17_282);
  expect(holderInLocks(table, { dev: 0x2a, ino: 5 })).toBe(17_290);
  expect(holderInLocks(table, { dev: 0x2c, ino: 5 })).toBeUndefined();
  // NVMe disks have major numbers above 255 and partitions minor ones.
  expect(holderInLocks(table, { dev: 0x11_03_2c, ino: 5 })).toBe(17_300);
});

test('a directory that cannot be made is refused with a sentence', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => lockDataDirectory(join(root, 'file', 'data'))).toThrow(DataDirectoryUnusableError);
  expect(() => lockDataDirectory(join(root, 'file', 'data'))).toThrow(/cannot be used .*SERVICE_DATA_DIR/);
});

test('the files of the lock are for their owner alone, also those of an earlier version', () => {
  writeFileSync(join(root, 'lock'), '', { mode: 0o644 });
  writeFileSync(join(root, 'lock-journal'), '', { mode: 0o644 });
  using _held = lockDataDirectory(root);
  expect(readdirSync(root).toSorted()).toEqual(['lock', 'lock-holder']);
  for (const file of readdirSync(root)) expect(statSync(join(root, file)).mode & 0o777).toBe(0o600);
});

test('taking the lock writes nothing into the locked file', () => {
  using _held = lockDataDirectory(root);
  expect(statSync(join(root, 'lock')).size).toBe(0);
});

test('two directories are independent', () => {
  using _one = lockDataDirectory(join(root, 'one'));
  using _two = lockDataDirectory(join(root, 'two'));
});

test('a process that is killed leaves no lock behind', async () => {
  const module = JSON.stringify(new URL('data-directory.ts', import.meta.url).href);
  const hold = `import { lockDataDirectory } from ${module}; lockDataDirectory(process.argv[1]); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', hold, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(() => lockDataDirectory(root)).toThrow(DataDirectoryInUseError);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  using _again = lockDataDirectory(root);
});
