// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { copyFileSync, globSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { packTar, unpackTar } from 'modern-tar';
import { describe, expect, test, vi } from 'vitest';
import { type EmbeddedEngineOptions, openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';
import { importHere } from '../testing/import-here.ts';
import { importSnapshot } from './import-snapshot.ts';
import { unpackSnapshot } from './snapshot-archive.ts';

type Subject = AsyncDisposable & { readonly engine: Engine; readonly directory: string; readonly dataDirectory: string };

type SubjectOptions = Pick<EmbeddedEngineOptions, 'vectorMemoryBytes' | 'recoverySeconds' | 'importSnapshot'>;

async function openSubject(options: SubjectOptions = {}): Promise<Subject> {
  const directory = await temporaryDirectory();
  const dataDirectory = join(directory.path, 'data');
  const engine = await openEmbeddedEngine({
    dataDirectory,
    clock: systemClock,
    random: seededRandom(1),
    importSnapshot: importHere,
    ...options,
  });
  return {
    engine,
    directory: directory.path,
    dataDirectory,
    [Symbol.asyncDispose]: async () => {
      await engine.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

const points = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => {
    const id = from + index;
    return { id, vector: [Math.sin(id), Math.cos(id), id % 7], payload: { n: id, word: `w${id % 5}` } };
  });

async function fill(engine: Engine, collection: string, count = 300): Promise<void> {
  await engine.createCollection(collection, { vectors: { size: 3, distance: 'Euclid' }, metadata: { of: 'tests' } });
  await engine.createFieldIndex(collection, 'word', { type: 'keyword' });
  await engine.upsert(collection, points(0, count));
}

const everything = (engine: Engine, collection: string) =>
  engine.scroll(collection, { limit: 10_000, with_payload: true, with_vector: true });

/** The file of a snapshot of `things`, copied out of the folder. */
async function snapshotOf({ engine, directory }: Subject, collection = 'things'): Promise<string> {
  const { name } = await engine.createSnapshot(collection);
  const { path } = await engine.snapshotFile({ collection, name });
  const copy = join(directory, 'taken.snapshot');
  copyFileSync(path, copy);
  return copy;
}

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('a snapshot', () => {
  test('has its own size and checksum, and is listed until it is deleted', async () => {
    await using subject = await openSubject();
    const { engine } = subject;
    await fill(engine, 'things');
    const made = await engine.createSnapshot('things');
    const { path } = await engine.snapshotFile({ collection: 'things', name: made.name });
    expect(made).toEqual({
      name: expect.stringMatching(/^things-\d{4}(-\d\d){5}-\d{3}\.snapshot$/),
      creation_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      size: readFileSync(path).length,
      checksum: sha256(path),
    });
    expect(await engine.listSnapshots('things')).toEqual([made]);
    expect(await engine.listSnapshots()).toEqual([]);
    expect(await engine.deleteSnapshot({ collection: 'things', name: made.name })).toBe(true);
    expect(await engine.listSnapshots('things')).toEqual([]);
    await expect(engine.deleteSnapshot({ collection: 'things', name: made.name })).rejects.toMatchObject({ code: 'snapshot_not_found' });
  });

  test('of a name that no file can have is kept apart from those of other names', async () => {
    await using subject = await openSubject();
    const { engine } = subject;
    for (const name of ['a b', 'a_b', 'ä', 'x'.repeat(255)]) {
      await fill(engine, name, 3);
      await engine.createSnapshot(name);
      expect(await engine.listSnapshots(name)).toHaveLength(1);
    }
  });

  test('is looked for nowhere else', async () => {
    await using subject = await openSubject();
    await fill(subject.engine, 'things', 1);
    for (const name of ['../things/x.snapshot', '..', 'a/b.snapshot', '.drafts', 'x.snapshot\0']) {
      await expect(subject.engine.snapshotFile({ collection: 'things', name })).rejects.toMatchObject({ code: 'snapshot_not_found' });
    }
  });

  test('of the whole storage has one of each collection, and the aliases', async () => {
    await using subject = await openSubject();
    const { engine, directory } = subject;
    await fill(engine, 'one', 5);
    await fill(engine, 'two', 6);
    await engine.changeAliases([{ create_alias: { alias_name: 'first', collection_name: 'one' } }]);
    const { name } = await engine.createSnapshot();
    const { path } = await engine.snapshotFile({ name });
    const members = await unpackTar(readFileSync(path));
    expect(members.map(({ header }) => header.name)).toEqual(['000001.snapshot', '000002.snapshot', 'manifest.json']);
    expect(JSON.parse(new TextDecoder().decode(members[2]?.data))).toMatchObject({
      collections: [
        { collection: 'one', name: '000001.snapshot' },
        { collection: 'two', name: '000002.snapshot' },
      ],
      aliases: [{ alias_name: 'first', collection_name: 'one' }],
    });
    writeFileSync(join(directory, 'two.snapshot'), members[1]?.data ?? '');
    await engine.recover('three', { path: join(directory, 'two.snapshot') });
    expect(await everything(engine, 'three')).toEqual(await everything(engine, 'two'));
    await expect(engine.recover('three', { path })).rejects.toMatchObject({ code: 'snapshot_invalid' });
  });
});

test('a snapshot of the whole storage leaves out a collection that is deleted meanwhile', async () => {
  await using subject = await openSubject();
  const { engine, dataDirectory } = subject;
  for (const name of ['one', 'three', 'two']) await fill(engine, name);
  const creation = engine.createSnapshot();
  // The first one is being written.
  await vi.waitUntil(() => globSync('snapshots/.drafts/*', { cwd: dataDirectory }).length > 0, { interval: 1 });
  await engine.deleteCollection('two');
  const { name } = await creation;
  const { path } = await engine.snapshotFile({ name });
  const members = await unpackTar(readFileSync(path));
  const { collections } = JSON.parse(new TextDecoder().decode(members.at(-1)?.data)) as { collections: { collection: string }[] };
  expect(collections.map(({ collection }) => collection)).toEqual(['one', 'three']);
});

describe('a recovery', () => {
  test('brings every point back, in an engine that has never seen them', async () => {
    await using from = await openSubject();
    await fill(from.engine, 'things');
    const path = await snapshotOf(from);
    await using to = await openSubject();
    expect(await to.engine.recover('others', { path, expected: sha256(path).toUpperCase() })).toBe(true);
    expect(await everything(to.engine, 'others')).toEqual(await everything(from.engine, 'things'));
    const { payload_schema, config } = await to.engine.collectionInfo('others');
    expect(payload_schema).toMatchObject({ word: { data_type: 'keyword', points: 300 } });
    expect(config).toEqual((await from.engine.collectionInfo('things')).config);
    const filter = { must: { key: 'word', match: { value: 'w3' } } };
    expect(await to.engine.count('others', { filter })).toBe(60);
    await to.engine.upsert('others', points(300, 310));
    expect(await to.engine.count('others', {})).toBe(310);
  });

  test('brings back vectors of every kind', async () => {
    await using subject = await openSubject();
    const { engine } = subject;
    await engine.createCollection('kinds', {
      vectors: {
        plain: { size: 2, distance: 'Cosine' },
        bytes: { size: 3, distance: 'Dot', datatype: 'uint8' },
        halves: { size: 2, distance: 'Euclid', datatype: 'float16', on_disk: true },
        several: { size: 2, distance: 'Dot', multivector_config: { comparator: 'max_sim' } },
      },
      sparse_vectors: { words: { modifier: 'idf' } },
    });
    await engine.upsert('kinds', [
      {
        id: 1,
        vector: {
          plain: [1, 2],
          bytes: [1, 2, 255],
          halves: [0.5, 1],
          several: [
            [1, 2],
            [3, 4],
          ],
        },
      },
      { id: 2, vector: { words: { indices: [3, 7], values: [1, 0.5] } } },
    ]);
    await engine.createVector('kinds', 'later', { dense: { size: 1, distance: 'Dot' } });
    await engine.deleteVector('kinds', 'plain');
    await engine.upsert('kinds', [{ id: 3, vector: { later: [7] } }]);
    const path = await snapshotOf(subject, 'kinds');
    await engine.recover('again', { path });
    expect(await everything(engine, 'again')).toEqual(await everything(engine, 'kinds'));
    const withWords = { filter: { must: { has_vector: 'words' } } };
    expect(await engine.count('again', withWords)).toBe(1);
  });

  test('replaces what there is, which can be read and written all the while', async () => {
    await using subject = await openSubject({ importSnapshot });
    const { engine } = subject;
    await fill(engine, 'things');
    const path = await snapshotOf(subject);
    const before = await everything(engine, 'things');
    await engine.deletePoints('things', { filter: {} });
    await engine.upsert('things', points(1000, 1010));
    const recovering = engine.recover('things', { path });
    let isRecovering = true;
    void recovering.finally(() => {
      isRecovering = false;
    });
    const counts = new Set<number>();
    while (isRecovering) {
      await setTimeout(5);
      counts.add(await engine.count('things', {}));
      await engine.upsert('things', points(1000, 1001));
    }
    await recovering;
    // A write of the last moment may be the new collection's.
    expect([...counts].filter((count) => ![10, 300, 301].includes(count))).toEqual([]);
    await engine.deletePoints('things', { points: [1000] });
    expect(await everything(engine, 'things')).toEqual(before);
    await engine.upsert('things', points(2000, 2001));
    expect(await engine.count('things', {})).toBe(301);
  });

  test('lasts', async () => {
    await using directory = await temporaryDirectory();
    const dataDirectory = join(directory.path, 'data');
    const open = () => openEmbeddedEngine({ dataDirectory, clock: systemClock, random: seededRandom(1), importSnapshot: importHere });
    const first = await open();
    await fill(first, 'things');
    const { name } = await first.createSnapshot('things');
    await first.deletePoints('things', { filter: {} });
    await first.recover('things', { path: (await first.snapshotFile({ collection: 'things', name })).path });
    const before = await everything(first, 'things');
    await first.close();
    expect(readdirSync(join(dataDirectory, 'collections'))).toEqual(['000002']);
    const second = await open();
    expect(await everything(second, 'things')).toEqual(before);
    await second.close();
  });

  const damages: readonly [string, (path: string) => Promise<void> | void, RegExp][] = [
    ['is empty', (path) => truncateSync(path, 0), /not usable/],
    ['is cut in its data', (path) => truncateSync(path, 20_000), /not usable/],
    ['is cut before its manifest', (path) => truncateSync(path, readFileSync(path).length - 3000), /not usable/],
    ['is no archive', (path) => writeFileSync(path, 'hello '.repeat(1000)), /not a tar archive/],
    ['has one byte changed', (path) => flip(path, 30_000), /data.mdb does not match the manifest/],
    ['has no manifest', (path) => repack(path, (members) => members.slice(0, -1)), /no manifest/],
    [
      'has a member above its directory',
      (path) => repack(path, (members) => [member('../../evil', 'x'), ...members]),
      /does not belong to a snapshot/,
    ],
    [
      'has a member of an absolute path',
      (path) => repack(path, (members) => [member('/tmp/evil', 'x'), ...members]),
      /does not belong to a snapshot/,
    ],
    [
      'has a member that is a link',
      (path) => repack(path, (members) => [link('graph-0.bin'), ...members]),
      /does not belong to a snapshot/,
    ],
    ['has a member twice', (path) => repack(path, (members) => [members[0], ...members]), /twice/],
    ['has a member that is not named', (path) => repack(path, (members) => [member('graph-7.bin', 'x'), ...members]), /does not list/],
    ['has a manifest of another version', (path) => repackManifest(path, { version: 9 }), /another version/],
    ['lacks a member', (path) => repack(path, (members) => members.slice(-1)), /missing/],
    ['has data that are none', (path) => repackData(path, () => Buffer.from('no data')), /damaged/],
  ];
  test('from a file that is damaged, or made to do harm, is refused and changes nothing', async () => {
    await using subject = await openSubject();
    const { engine, dataDirectory, directory } = subject;
    await fill(engine, 'things');
    const original = await snapshotOf(subject);
    const before = await everything(engine, 'things');
    const path = join(directory, 'damaged.snapshot');
    for (const [what, damage, reason] of damages) {
      copyFileSync(original, path);
      await damage(path);
      const refusal = { code: 'snapshot_invalid', message: expect.stringMatching(reason) };
      await expect(engine.recover('things', { path }), what).rejects.toMatchObject(refusal);
    }
    await expect(engine.recover('none', { path })).rejects.toMatchObject({ code: 'snapshot_invalid' });
    expect(await everything(engine, 'things')).toEqual(before);
    expect(await engine.listCollections()).toEqual(['things']);
    expect(readdirSync(join(dataDirectory, 'collections'))).toEqual(['000001']);
    expect(readdirSync(join(dataDirectory, 'snapshots', '.drafts'))).toEqual([]);
  });

  test('from a file that has noise within its data is refused and changes nothing', async () => {
    // In a process: it may die of what it reads.
    await using subject = await openSubject({ importSnapshot });
    await fill(subject.engine, 'things', 20);
    const path = await snapshotOf(subject);
    const before = await everything(subject.engine, 'things');
    await repackData(path, noise);
    const refusal = { code: 'snapshot_invalid', message: expect.stringContaining('not usable') };
    await expect(subject.engine.recover('things', { path })).rejects.toMatchObject(refusal);
    expect(await everything(subject.engine, 'things')).toEqual(before);
  });

  test('from an archive of more members than it may have is refused', async () => {
    await using subject = await openSubject();
    await fill(subject.engine, 'things', 3);
    const path = await snapshotOf(subject);
    await repack(path, (members) => [member('graph-7.bin', 'x'), member('graph-8.bin', 'x'), ...members]);
    const unpacked = unpackSnapshot(path, subject.directory, async () => undefined, 2);
    await expect(unpacked).rejects.toMatchObject({ code: 'snapshot_invalid', message: expect.stringContaining('more than 2 members') });
  });

  test('that takes longer than it may is refused and changes nothing', async () => {
    await using subject = await openSubject({ recoverySeconds: 0 });
    const { engine } = subject;
    await fill(engine, 'things', 20);
    const path = await snapshotOf(subject);
    const before = await everything(engine, 'things');
    await expect(engine.recover('things', { path })).rejects.toMatchObject({
      code: 'snapshot_invalid',
      message: expect.stringContaining('it took longer than 0 s (SERVICE_RECOVERY_SECONDS)'),
    });
    expect(await everything(engine, 'things')).toEqual(before);
    expect(await engine.listCollections()).toEqual(['things']);
  });

  test('from a file of another checksum than expected is refused', async () => {
    await using subject = await openSubject();
    await fill(subject.engine, 'things', 3);
    const path = await snapshotOf(subject);
    await expect(subject.engine.recover('things', { path, expected: '0'.repeat(64) })).rejects.toMatchObject({
      code: 'snapshot_invalid',
      message: expect.stringContaining('checksum: expected'),
    });
  });

  test('for which there is no memory is refused', async () => {
    await using from = await openSubject();
    await fill(from.engine, 'things');
    const path = await snapshotOf(from);
    await using to = await openSubject({ vectorMemoryBytes: 20_000 });
    await expect(to.engine.recover('things', { path })).rejects.toMatchObject({ code: 'memory_exhausted' });
    expect(await to.engine.listCollections()).toEqual([]);
  });
});

type Member = Awaited<ReturnType<typeof unpackTar>>[number];

function member(name: string, text: string): Member {
  const data = new TextEncoder().encode(text);
  return { header: { name, size: data.length }, data };
}

function link(name: string): Member {
  return { header: { name, size: 0, type: 'symlink', linkname: '/etc/passwd' } };
}

function flip(path: string, position: number): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position);
  writeFileSync(path, bytes);
}

async function repack(path: string, change: (members: readonly Member[]) => readonly (Member | undefined)[]): Promise<void> {
  const members = change(await unpackTar(readFileSync(path))).filter((each) => each !== undefined);
  writeFileSync(path, await packTar(members));
}

function repackManifest(path: string, changes: object): Promise<void> {
  return repack(path, (members) => {
    const manifest = JSON.parse(new TextDecoder().decode(members.at(-1)?.data));
    return [...members.slice(0, -1), member('manifest.json', JSON.stringify({ ...manifest, ...changes }))];
  });
}

/** With a manifest that fits. */
function repackData(path: string, change: (data: Buffer) => Buffer): Promise<void> {
  return repack(path, (members) => {
    const data = change(Buffer.from(members[0]?.data ?? ''));
    const digest = createHash('sha256').update(data).digest('hex');
    const manifest = {
      format: 'sextant-collection-snapshot',
      version: 1,
      collection: 'things',
      members: [{ name: 'data.mdb', bytes: data.length, sha256: digest }],
    };
    return [
      { header: { name: 'data.mdb', size: data.length }, data: new Uint8Array(data) },
      member('manifest.json', JSON.stringify(manifest)),
    ];
  });
}

/** Leaves LMDB's two headers, and makes nonsense of the pages behind them. */
function noise(data: Buffer): Buffer {
  const random = seededRandom(3);
  for (let position = 8192; position < data.length; position++) data[position] = Math.floor(random.next() * 256);
  return data;
}
