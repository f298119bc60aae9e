// SPDX-License-Identifier: Apache-2.0
/** What readers get of a collection while it is made from a snapshot, write by write. */
import { join } from 'node:path';
import { ServiceError } from '@sextant/contracts-vector';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openSystemStorage } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import type { EngineReads } from './engine.ts';
import { engineReads } from './engine-reads.ts';
import { isAwaited } from './model/collection-handle.ts';
import { silentLog } from './model/log.ts';
import { CatalogView } from './reads/view/catalog-view.ts';
import { wholeReads } from './whole-reads.ts';
import { Catalog } from './writes/catalog.ts';
import { localRunner } from './writes/run-operation.ts';

const REQUEST = { vectors: { size: 1, distance: 'Dot' }, sparse_vectors: { words: {} } } as const;
const POINT = { id: 1, vector: { '': Float32Array.of(1), words: { indices: [1], values: Float32Array.of(1) } } };
const NEAREST = { prefetch: [], query: { kind: 'nearest', to: [1] }, limit: 1, with_payload: false, with_vector: false } as const;
/** A write of the recovery. */
const OF_FIRST = { collection: 'films', recovery: 'first' } as const;
const RECOVERING = { code: 'collection_recovering', message: expect.stringContaining('films is being recovered from a snapshot') };

async function opened(directory: string) {
  const system = openSystemStorage({ directory: join(directory, 'system') });
  const view = new CatalogView({ clock: systemClock, random: seededRandom(1), log: silentLog, residentMemoryPercent: () => 0 });
  let caughtUp: () => Promise<void> = async () => undefined;
  const reads = wholeReads(engineReads(view), { isRecovering: (name) => view.isRecovering(name), caughtUp: () => caughtUp() });
  /** What a reader meets at each moment at which something is announced. */
  const met: string[] = [];
  const catalog = new Catalog({
    dataDirectory: directory,
    system,
    log: silentLog,
    clock: systemClock,
    node: 'north',
    listener: {
      event: async (event) => {
        const ended = view.apply(event);
        if (isAwaited(event)) await ended;
        met.push(await reads.count('films', {}).then(String, codeOf));
      },
      written: () => undefined,
    },
  });
  await catalog.load();
  const runner = localRunner(catalog);
  return {
    catalog,
    runner,
    reads,
    met,
    /** The recovery, which is given up unless it has ended well. */
    begin: () => runner.onCatalog({ kind: 'create_collection', collection: 'films', request: REQUEST, recovery: { id: 'first' } }),
    end: (isDone: boolean) => runner.onCatalog({ kind: 'end_recovery', collection: 'films', id: 'first', isDone }),
    onceCaughtUp: (what: () => Promise<void>) => {
      caughtUp = what;
    },
    [Symbol.asyncDispose]: async () => {
      await view.close();
      await catalog.close();
      system.close();
    },
  };
}

const READS: { readonly [name: string]: (reads: EngineReads, collection: string) => Promise<unknown> } = {
  retrieve: (reads, collection) => reads.retrieve(collection, { ids: [1] }),
  scroll: (reads, collection) => reads.scroll(collection, {}),
  count: (reads, collection) => reads.count(collection, {}),
  facet: (reads, collection) => reads.facet(collection, { key: 'color' }),
  nearest: (reads, collection) => reads.nearest(collection, { vector: [1], limit: 1 }),
  sample: (reads, collection) => reads.sample(collection, { limit: 1 }),
  neighbours: (reads, collection) => reads.neighboursAmong(collection, { id: 1, among: [1], limit: 1, using: '' }),
  norms: (reads, collection) => reads.inputNorms(collection),
  query: (reads, collection) => reads.query(collection, { ...NEAREST, offset: 0 }),
  groups: (reads, collection) => reads.queryGroups(collection, { ...NEAREST, group_by: 'color', group_size: 1 }),
};

test.each(Object.entries(READS))('%s is refused until the recovery has ended', async (_, read) => {
  await using directory = await temporaryDirectory();
  await using node = await opened(directory.path);
  await node.begin();
  await node.runner.onCollection({ kind: 'create_field_index', ...OF_FIRST, field: 'color', schema: { type: 'keyword' } });
  await node.runner.onCatalog({
    kind: 'change_aliases',
    actions: [{ create_alias: { alias_name: 'movies', collection_name: 'films' } }],
  });
  await expect(read(node.reads, 'films')).rejects.toMatchObject(RECOVERING);
  await expect(read(node.reads, 'movies')).rejects.toMatchObject({ code: 'collection_recovering' });
  await node.end(true);
  await expect(read(node.reads, 'movies')).resolves.toBeDefined();
});

test('another collection looks nothing up in it', async () => {
  await using directory = await temporaryDirectory();
  await using node = await opened(directory.path);
  await node.begin();
  await node.runner.onCatalog({ kind: 'create_collection', collection: 'songs', request: REQUEST });
  const lookup = { ...NEAREST, lookup_from: { collection: 'films' } };
  await expect(node.reads.query('songs', { ...NEAREST, prefetch: [lookup], offset: 0 })).rejects.toMatchObject(RECOVERING);
  expect(await node.reads.count('songs', {})).toBe(0);
});

test('its description says that it is not whole', async () => {
  await using directory = await temporaryDirectory();
  await using node = await opened(directory.path);
  await node.begin();
  expect(await node.reads.collectionInfo('films')).toMatchObject({
    status: 'yellow',
    warnings: [{ message: expect.stringContaining('is being recovered from a snapshot') }],
  });
  expect(await node.reads.collectionStatus('films')).toMatchObject({ status: 'yellow' });
  await node.end(true);
  const info = await node.reads.collectionInfo('films');
  expect(info.status).toBe('green');
  expect(info).not.toHaveProperty('warnings');
});

test.each([true, false])('at no moment is a part of it read, whether or not it ends well (%s)', async (isDone) => {
  await using directory = await temporaryDirectory();
  await using node = await opened(directory.path);
  await node.begin();
  await node.runner.onCollection({ kind: 'upsert', ...OF_FIRST, points: [POINT] });
  await node.end(isDone);
  const after = isDone ? ['1'] : ['collection_deleted', 'collection_not_found'];
  expect([...new Set(node.met)]).toEqual(['collection_not_found', 'collection_recovering', ...after].filter(isFirst));
  expect(await node.reads.collectionExists('films')).toBe(isDone);
});

test('a node that is started again knows what is not whole', async () => {
  await using directory = await temporaryDirectory();
  {
    await using node = await opened(directory.path);
    await node.begin();
  }
  await using node = await opened(directory.path);
  await expect(node.reads.count('films', {})).rejects.toMatchObject(RECOVERING);
});

test('a node asks how far the others are before it refuses', async () => {
  await using directory = await temporaryDirectory();
  await using node = await opened(directory.path);
  await node.begin();
  node.onceCaughtUp(async () => void (await node.end(true)));
  expect(await node.reads.count('films', {})).toBe(0);
});

function codeOf(error: unknown): string {
  return error instanceof ServiceError ? error.code : String(error);
}

function isFirst(state: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(state) === index;
}
