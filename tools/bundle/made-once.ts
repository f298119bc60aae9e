// SPDX-License-Identifier: Apache-2.0
/** What tests build of the sources and share: made by the first that needs it, and kept until the sources change. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@sextant/foundation-std';
import { ROOT } from './bundle.ts';

const CACHE = join(ROOT, 'node_modules/.cache');
const DAY_MS = 86_400_000;
const POLL_MS = 100;

export type MadeOnce = {
  /** The folder in the cache that holds what was made of different sources. */
  readonly name: string;
  /** Patterns of paths from the root of the repository. */
  readonly sources: readonly string[];
  /** Fills a folder. */
  readonly make: (directory: string) => Promise<unknown>;
  /** Called where it was made, once it is in its place. */
  readonly afterwards?: (directory: string) => Promise<void>;
};

/** Resolves with the folder; it is made once of the same sources. */
export async function madeOnce({ name, sources, make, afterwards }: MadeOnce): Promise<string> {
  const parent = join(CACHE, name);
  const directory = join(parent, fingerprint(sources));
  if (existsSync(directory)) return directory;
  mkdirSync(parent, { recursive: true });
  removeOld(parent);
  const lock = `${directory}.lock`;
  while (!isTaken(lock)) {
    // Another process makes it.
    await delay(POLL_MS);
    if (existsSync(directory) && !existsSync(lock)) return directory;
  }
  try {
    if (existsSync(directory)) return directory;
    const draft = mkdtempSync(join(parent, '.draft-'));
    try {
      await make(draft);
      renameSync(draft, directory);
    } catch (error) {
      rmSync(draft, { recursive: true });
      throw error;
    }
    await afterwards?.(directory);
    return directory;
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Whether this process makes it now: nobody else does, or who did has died. */
function isTaken(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  if (!isAlive(ownerOf(lock))) rmSync(lock, { force: true });
  return false;
}

/** Undefined where it is written just now, or gone. */
function ownerOf(lock: string): number | undefined {
  try {
    const text = readFileSync(lock, 'utf8');
    return text === '' ? undefined : Number(text);
  } catch {
    return undefined;
  }
}

function isAlive(owner: number | undefined): boolean {
  if (owner === undefined) return true;
  try {
    process.kill(owner, 0);
    return true;
  } catch {
    return false;
  }
}

/** Another run may still use what is of older sources, but not for a day. */
function removeOld(parent: string): void {
  for (const name of readdirSync(parent)) {
    const directory = join(parent, name);
    if (systemClock.nowMs() - statSync(directory).mtimeMs > DAY_MS) rmSync(directory, { recursive: true, force: true });
  }
}

/** Of the sources as they are; two that differ have different ones. */
function fingerprint(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of globSync([...sources], { cwd: ROOT }).toSorted()) {
    const { mtimeMs, size } = statSync(join(ROOT, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
