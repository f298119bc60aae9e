// SPDX-License-Identifier: Apache-2.0
/** Collections that are opened when they are asked for, and closed where another needs their place. */
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '@sextant/contracts-vector';
import { type Clock, seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openSystemStorage } from '@sextant/vector-storage';
import { describe, expect, test } from 'vitest';
import { type EmbeddedEngineOptions, openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';
import { silentLog } from '../model/log.ts';
import { importHere } from '../testing/import-here.ts';
import { Catalog } from './catalog.ts';

/** A thousand times as fast, so that what waits for seconds waits for milliseconds. */
const hasty: Clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() * 1000 };
const PLANE = { vectors: { size: 2, distance: 'Euclid' } } as const;
const full = (max: number) => ({ max, reached: () => new ServiceError('collections_in_use', { max, bound: 'the test', seconds: 1 }) });

class Counts {
  openings = 0;
  releases = 0;
  failures = 0;
  readonly opened = () => void this.openings++;
  readonly released = () => void this.releases++;
  readonly failed = () => void this.failures++;
}

async function openSubject(max: number, more: Partial<EmbeddedEngineOptions> = {}) {
  const scratch = await temporaryDirectory();
  const dataDirectory = join(scratch.path, 'data');
  const open = async (counts: Counts) =>
    openEmbeddedEngine({
      dataDirectory,
      clock: hasty,
      random: seededRandom(1),
      collectionBound: full(max),
      openings: counts,
      importSnapshot: importHere,
      ...more,
    });
  const subject = {
    counts: new Counts(),
    /** Directories are numbered in the order of creation. */
    dataFile: (number: number) => join(dataDirectory, 'collections', String(number).padStart(6, '0'), 'data.mdb'),
    engine: undefined as unknown as Engine,
    reopen: async () => {
      await subject.engine.close();
      subject.counts = new Counts();
      subject.engine = await open(subject.counts);
    },
    [Symbol.asyncDispose]: async () => {
      await subject.engine.close();
      await scratch[Symbol.asyncDispose]();
    },
  };
  subject.engine = await open(subject.counts);
  return subject;
}

async function create(engine: Engine, ...names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    await engine.createCollection(name, PLANE);
    await engine.upsert(name, [{ id: 1, vector: [index, 0], payload: { of: name } }]);
  }
}

const stateOf = async (engine: Engine, name: string) => (await engine.collectionStatus(name)).state;

describe('a collection that is closed', () => {
  test('is the one that was used least recently', async () => {
    await using subject = await openSubject(2);
    const { engine } = subject;
    await create(engine, 'a', 'b');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await engine.count('a', {});
    await create(engine, 'c');
    expect(await Promise.all(['a', 'b', 'c'].map((name) => stateOf(engine, name)))).toEqual(['open', 'released', 'open']);
  });

  test('is opened once for all requests that come meanwhile', async () => {
    await using subject = await openSubject(2);
    const { engine, counts } = subject;
    await create(engine, 'a', 'b', 'c');
    const before = counts.openings;
    const found = await Promise.all(Array.from({ length: 10 }, () => engine.retrieve('a', { ids: [1], with_payload: true })));
    expect(found).toEqual(Array.from({ length: 10 }, () => [{ id: 1, payload: { of: 'a' } }]));
    expect(counts.openings).toBe(before + 1);
  });

  test('is renamed, deleted and taken into a snapshot like any other', async () => {
    await using subject = await openSubject(1);
    const { engine } = subject;
    await create(engine, 'a', 'b', 'c');
    await engine.changeAliases([{ create_alias: { alias_name: 'alias of a', collection_name: 'a' } }]);
    expect(await engine.listAliases('a')).toEqual([{ alias_name: 'alias of a', collection_name: 'a' }]);
    expect(await engine.count('alias of a', {})).toBe(1);
    const { name } = await engine.createSnapshot('b');
    const path = subject.dataFile(0);
    mkdirSync(dirname(path));
    copyFileSync((await engine.snapshotFile({ collection: 'b', name })).path, path);
    expect(await engine.deleteCollection('b')).toBe(true);
    expect(await engine.listCollections()).toEqual(['a', 'c']);
    await engine.recover('c', { path });
    expect(await engine.retrieve('c', { ids: [1], with_payload: true })).toEqual([{ id: 1, payload: { of: 'b' } }]);
    await engine.createSnapshot();
    expect(await engine.count('a', {})).toBe(1);
  });

  test('keeps what its rate limits have left', async () => {
    await using subject = await openSubject(1, { clock: systemClock });
    const { engine } = subject;
    await create(engine, 'a', 'b');
    await engine.updateCollection('a', { strict_mode_config: { enabled: true, read_rate_limit: 2 } });
    const read = async () => engine.admit('a', () => ({ kind: 'read', parts: [{ charge: 1 }] }));
    await read();
    await read();
    await engine.count('b', {});
    expect(await stateOf(engine, 'a')).toBe('released');
    await expect(read()).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  });

  test('is known after a start as it was, and is opened at the start where anything of it has changed', async () => {
    await using subject = await openSubject(3);
    await create(subject.engine, 'a', 'b', 'c');
    const infos = await Promise.all(['a', 'b', 'c'].map((name) => subject.engine.collectionInfo(name)));
    await subject.reopen();
    expect(subject.counts.openings).toBe(0);
    expect(await Promise.all(['a', 'b', 'c'].map((name) => subject.engine.collectionInfo(name)))).toEqual(infos);
    expect(await stateOf(subject.engine, 'a')).toBe('not_opened');
    await subject.engine.count('a', {});
    await subject.engine.close();
    // Opening and reading changes nothing, and neither does the end.
    appendFileSync(subject.dataFile(2), Buffer.alloc(4096));
    await subject.reopen();
    expect(await stateOf(subject.engine, 'a')).toBe('not_opened');
    expect(await stateOf(subject.engine, 'b')).toBe('open');
    expect(await stateOf(subject.engine, 'c')).toBe('not_opened');
  });
});

describe('a place', () => {
  test('is not taken from a collection that is read, and whoever waits for it in vain is told so', async () => {
    await using subject = await openSubject(1);
    const { engine, counts } = subject;
    await engine.createCollection('long', PLANE);
    await engine.upsert(
      'long',
      Array.from({ length: 6000 }, (_, id) => ({ id, vector: [id, 0], payload: { text: `word${id} and some more` } })),
    );
    // Evaluated point by point, with turns of the event loop in between.
    const longRead = engine.count('long', { filter: { must: { key: 'text', match: { text: 'word7' } } } });
    await expect(engine.createCollection('other', PLANE)).rejects.toMatchObject({ code: 'collections_in_use', restStatus: 503 });
    expect(await longRead).toBe(1);
    expect(counts.releases).toBe(0);
    await create(engine, 'other');
    expect(await stateOf(engine, 'long')).toBe('released');
  });

  test('is taken and given by many at once without a wrong answer', async () => {
    await using subject = await openSubject(2, { clock: systemClock });
    const { engine, counts } = subject;
    const names = Array.from({ length: 6 }, (_, index) => `c${index}`);
    await create(engine, ...names);
    const random = seededRandom(7);
    const written = new Map(names.map((name) => [name, 1]));
    await Promise.all(
      Array.from({ length: 4 }, async (_, lane) => {
        for (let step = 0; step < 30; step++) {
          const name = names[random.integer(names.length)] ?? '';
          if (random.integer(2) === 0) {
            await engine.upsert(name, [{ id: 1000 * (lane + 1) + step, vector: [step, lane] }]);
            written.set(name, (written.get(name) ?? 0) + 1);
          } else {
            expect(await engine.retrieve(name, { ids: [1], with_payload: true })).toEqual([{ id: 1, payload: { of: name } }]);
          }
        }
      }),
    );
    for (const [name, count] of written) expect(await engine.count(name, {})).toBe(count);
    expect(counts.releases).toBeGreaterThan(10);
    expect(counts.failures).toBe(0);
  });
});

test('an opening that fails answers those who wait for it, and is tried again', async () => {
  await using subject = await openSubject(2);
  const { engine, counts } = subject;
  await create(engine, 'a', 'b', 'c');
  const file = subject.dataFile(1);
  const whole = readFileSync(file);
  truncateSync(file, 100);
  const refused = { code: 'collection_unreadable', message: expect.stringContaining('data.mdb is damaged') };
  const waiting = [engine.count('a', {}), engine.upsert('a', [{ id: 2, vector: [0, 0] }])];
  for (const each of waiting) await expect(each).rejects.toMatchObject(refused);
  expect(counts.failures).toBe(1);
  await expect(engine.collectionInfo('a')).rejects.toMatchObject(refused);
  expect(await engine.listCollections()).toEqual(['a', 'b', 'c']);
  expect(await engine.count('b', {})).toBe(1);
  writeFileSync(file, whole);
  await expect.poll(() => engine.count('a', {}).catch(() => 0)).toBe(1);
});

test('on a node of a cluster, which has passed over operations for it meanwhile, one that could not be opened stays so', async () => {
  await using scratch = await temporaryDirectory();
  const openCatalog = () => {
    const system = openSystemStorage({ directory: join(scratch.path, 'system') });
    const listener = { event: async () => undefined, written: () => undefined };
    // Where no time passes, a failed opening has taken none, and pacing keeps nobody from another.
    const clock = { ...systemClock, monotonicMs: () => 0 };
    const catalog = new Catalog({ dataDirectory: scratch.path, system, log: silentLog, clock, listener });
    return { catalog, close: () => catalog.close().then(() => system.close()) };
  };
  const first = openCatalog();
  await first.catalog.load();
  await first.catalog.create('a', PLANE);
  await first.close();
  const file = join(scratch.path, 'collections', '000001', 'data.mdb');
  const whole = readFileSync(file);
  truncateSync(file, 100);
  const second = openCatalog();
  await second.catalog.load();
  writeFileSync(file, whole);
  await expect(Promise.resolve(second.catalog.hold('a'))).rejects.toMatchObject({ code: 'collection_unreadable' });
  expect(second.catalog.hasFailed).toBe(true);
  await second.close();
});
