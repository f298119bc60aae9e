// SPDX-License-Identifier: Apache-2.0
/** A small file system of its own, to be filled by a test. It is kept in memory and needs the right to mount. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = Disposable & {
  readonly path: string;
  freeBytes(): number;
  /** Takes the room of the disk but for so many bytes, until it is released. */
  fill(leftBytes?: number): void;
  empty(): void;
};

/** Why tests with a disk of their own are skipped; undefined where they can run. */
export function smallDiskProblem(): string | undefined {
  if (process.platform !== 'linux') return 'a disk that a test may fill needs tmpfs, which Linux has';
  try {
    openSmallDisk(1024 * 1024)[Symbol.dispose]();
    return undefined;
  } catch {
    return 'a disk that a test may fill needs the right to mount (root)';
  }
}

export function openSmallDisk(bytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', path], { stdio: 'ignore' });
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  const ballast = join(path, '.ballast');
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  return {
    path,
    freeBytes,
    fill: (leftBytes = 0) => {
      const file = openSync(ballast, 'a');
      try {
        for (let free = freeBytes(); free > leftBytes; free = freeBytes())
          writeSync(file, Buffer.alloc(Math.min(free - leftBytes, 1024 * 1024)));
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]: () => {
      // Lazily: a process that was killed may still be letting go of its files.
      execFileSync('umount', ['--lazy', path], { stdio: 'ignore' });
      rmdirSync(path);
    },
  };
}
