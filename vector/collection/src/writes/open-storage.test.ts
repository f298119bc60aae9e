// SPDX-License-Identifier: Apache-2.0
/** How the system is told to read the files of collections, as /proc shows it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';

const POINTS = 500;
const IN_MEMORY = { size: 64, distance: 'Euclid' } as const;
const ON_DISK = { ...IN_MEMORY, on_disk: true } as const;

const CASES = [
  { held: 'in memory', request: { vectors: IN_MEMORY }, readsAhead: true },
  { held: 'on disk', request: { vectors: ON_DISK }, readsAhead: false },
  { held: 'on disk and in memory', request: { vectors: { one: ON_DISK, other: IN_MEMORY } }, readsAhead: true },
  { held: 'nowhere, as there are none but sparse ones', request: { vectors: {}, sparse_vectors: { words: {} } }, readsAhead: true },
] as const;

test.runIf(process.platform === 'linux').each(CASES)(
  'a file of vectors $held: read ahead? $readsAhead',
  async ({ request, readsAhead }) => {
    await using scratch = await temporaryDirectory();
    const file = join(scratch.path, 'collections', '000001', 'data.mdb');
    const open = () => openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1) });
    let engine = await open();
    try {
      await engine.createCollection('films', request);
      expect(readAheadOf(file)).toEqual(new Set([readsAhead]));
      await grow(engine, 'films');
      expect(readAheadOf(file)).toEqual(new Set([readsAhead]));
      await engine.close();
      engine = await open();
      expect(await engine.count('films', {})).toBe(POINTS);
      expect(readAheadOf(file)).toEqual(new Set([readsAhead]));
    } finally {
      await engine.close();
    }
  },
);

/** Beyond the size at which the file is mapped first, so that it is mapped again. */
async function grow(engine: Engine, collection: string): Promise<void> {
  const points = Array.from({ length: POINTS }, (_, id) => ({ id, vector: {}, payload: { text: 'x'.repeat(4000) } }));
  await engine.upsert(collection, points);
}

/** Of each mapping of a file: "rr" among its flags says that it is read at random (man 5 proc). */
function readAheadOf(file: string): ReadonlySet<boolean> {
  const mappings = readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return new Set(mappings.filter((text) => text.split('\n')[0]?.endsWith(` ${file}`)).map((text) => !/^VmFlags:.*\brr\b/m.test(text)));
}
