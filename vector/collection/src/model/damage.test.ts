// SPDX-License-Identifier: Apache-2.0
/** Bits that flip on the disk are found or harmless: each answer is whole, or a refusal that names the collection. */
import { fork } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, seededRandom, systemClock } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Found } from '../fixture/reads-damaged.ts';
import { reasonOf } from './damage.ts';

const READER = new URL('../fixture/reads-damaged.ts', import.meta.url);
const POINTS = 300;
const SIZE = 16;
const PAGE_BYTES = 4096;
/** Where LMDB's header of a page ends, and the pointers to its records go on. */
const POINTERS_END = 48;

/** Two collections of the same points, saved graphs among their files. */
async function stored(dataDirectory: string): Promise<void> {
  const engine = await openEmbeddedEngine({ dataDirectory, clock: systemClock, random: seededRandom(1) });
  const random = seededRandom(7);
  for (const name of ['flipped', 'sound']) {
    await engine.createCollection(name, {
      vectors: { size: SIZE, distance: 'Euclid' },
      hnsw_config: { full_scan_threshold: 10 },
      optimizers_config: { indexing_threshold: 1 },
    });
    await engine.createFieldIndex(name, 'group', { type: 'keyword' });
    const points = Array.from({ length: POINTS }, (_, id) => ({
      id,
      vector: Array.from({ length: SIZE }, () => Math.fround(random.next())),
      payload: { group: id % 2 === 0 ? 'even' : 'odd', nested: { list: [id, 'x'.repeat(id % 40)] } },
    }));
    await engine.upsert(name, points);
    while ((await engine.collectionInfo(name)).status !== 'green') await new Promise((turn) => setTimeout(turn, 5));
  }
  await engine.close();
}

/** What processes find that read everything of one store after the other, or how one died; the next one goes on after that. */
async function found(directories: readonly string[]): Promise<readonly (Found | string)[]> {
  const outcomes: (Found | string)[] = [];
  while (outcomes.length < directories.length) {
    const child = fork(READER, directories.slice(outcomes.length), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let said = '';
    child.stderr?.on('data', (text) => {
      said += text;
    });
    child.on('message', (message: Found) => {
      outcomes.push(message);
    });
    const ending = await new Promise<string>((resolve) => child.once('close', (code, signal) => resolve(`${signal ?? code}: ${said}`)));
    if (outcomes.length < directories.length) outcomes.push(ending);
  }
  return outcomes;
}

let sound: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  sound = await temporaryDirectory();
  await stored(sound.path);
});
afterAll(() => sound[Symbol.asyncDispose]());

const KINDS: readonly Flips[] = [
  { what: 'bytes of data.mdb', flips: 12, name: 'data.mdb', refusedMin: 1, place: (length, random) => random.integer(length) },
  {
    what: 'the headers of its pages',
    flips: 4,
    name: 'data.mdb',
    refusedMin: 1,
    // The first two pages are looked at before LMDB sees them.
    place: (length, random) => (2 + random.integer(length / PAGE_BYTES - 2)) * PAGE_BYTES + random.integer(POINTERS_END),
  },
  // What is damaged of a graph is built again.
  { what: 'bytes of a saved graph', flips: 4, name: 'graph-0.bin', refusedMin: 0, place: (length, random) => random.integer(length) },
];

type Flips = {
  readonly what: string;
  readonly flips: number;
  readonly name: string;
  readonly refusedMin: number;
  readonly place: (length: number, random: Random) => number;
};

// One process reads all of them, as long as none ends it.
test(`flips in ${KINDS.map(({ what }) => what).join(', ')}`, async () => {
  await using directory = await temporaryDirectory();
  const flipped = KINDS.flatMap((kind) => {
    const random = seededRandom(99);
    return Array.from({ length: roundsOf({ quick: kind.flips, long: 40 }) }, (_, flip) => {
      const copy = join(directory.path, `${kind.what}-${flip}`);
      cpSync(sound.path, copy, { recursive: true });
      const file = join(copy, 'collections', '000001', kind.name);
      const bytes = readFileSync(file);
      const offset = kind.place(bytes.length, random);
      const bit = random.integer(8);
      bytes.writeUInt8(bytes.readUInt8(offset) ^ (1 << bit), offset);
      writeFileSync(file, bytes);
      return { kind, copy, place: `bit ${bit} of byte ${offset} of ${kind.name}` };
    });
  });
  const outcomes = await found(flipped.map(({ copy }) => copy));
  const faults = outcomes.flatMap((outcome, flip) =>
    (typeof outcome === 'string' ? [`the process died: ${outcome}`] : outcome.wrong).map((fault) => `${flipped[flip]?.place}: ${fault}`),
  );
  expect(faults).toEqual([]);
  for (const kind of KINDS) {
    const refused = outcomes.filter(
      (outcome, flip) => flipped[flip]?.kind === kind && typeof outcome !== 'string' && outcome.refused.length > 0,
    );
    // If all were harmless, nothing would have been tried.
    expect(refused.length, kind.what).toBeGreaterThanOrEqual(kind.refusedMin);
  }
}, 600_000);

test('reasons for callers name no path of the server', () => {
  const error = Object.assign(new Error("ENOENT: no such file or directory, open '/srv/data/x, y'"), { syscall: 'open' });
  expect(reasonOf(error)).toBe('ENOENT: no such file or directory');
  expect(reasonOf(new Error('something else'))).toBe('something else');
});
