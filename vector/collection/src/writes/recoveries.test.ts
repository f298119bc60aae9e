// SPDX-License-Identifier: Apache-2.0
/** Collections that are made from snapshots write by write, and what is left of them where that does not end. */
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openSystemStorage } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import { silentLog } from '../model/log.ts';
import type { OperationRunner } from '../model/write-operation.ts';
import { Catalog } from './catalog.ts';
import { listingOf } from './catalog-listing.ts';
import { localRunner } from './run-operation.ts';

const REQUEST = { vectors: { size: 1, distance: 'Dot' } } as const;

async function opened(directory: string, node?: string) {
  const system = openSystemStorage({ directory: join(directory, 'system') });
  const listener = { event: async () => undefined, written: () => undefined };
  const catalog = new Catalog({ dataDirectory: directory, system, log: silentLog, clock: systemClock, listener, node });
  await catalog.load();
  return {
    catalog,
    runner: localRunner(catalog),
    [Symbol.asyncDispose]: async () => {
      await catalog.close();
      system.close();
    },
  };
}

const begin = (runner: OperationRunner, collection: string, recovery = { id: collection, node: 'north' }) =>
  runner.onCatalog({ kind: 'create_collection', collection, request: REQUEST, recovery });
const end = (runner: OperationRunner, collection: string, isDone: boolean, id = collection) =>
  runner.onCatalog({ kind: 'end_recovery', collection, id, isDone });

test('one that has ended well stays, and one that is given up goes', async () => {
  await using directory = await temporaryDirectory();
  await using node = await opened(directory.path);
  for (const name of ['whole', 'given up']) await begin(node.runner, name);
  expect(await end(node.runner, 'whole', true)).toBe(true);
  expect(await end(node.runner, 'given up', false)).toBe(true);
  expect(node.catalog.names()).toEqual(['whole']);
  expect(node.catalog.recoveries.unfinished()).toEqual([]);
});

test('neither a late end nor that of another recovery touches a collection', async () => {
  await using directory = await temporaryDirectory();
  await using node = await opened(directory.path);
  await begin(node.runner, 'films');
  expect(await end(node.runner, 'films', false, 'another')).toBe(false);
  await end(node.runner, 'films', true);
  expect(await end(node.runner, 'films', false)).toBe(false);
  await node.runner.onCatalog({ kind: 'delete_collection', collection: 'films' });
  await node.runner.onCatalog({ kind: 'create_collection', collection: 'films', request: REQUEST });
  expect(await end(node.runner, 'films', false)).toBe(false);
  expect(node.catalog.names()).toEqual(['films']);
});

test('what was deleted meanwhile, or came in its place, is no longer being recovered', async () => {
  await using directory = await temporaryDirectory();
  await using node = await opened(directory.path);
  await begin(node.runner, 'films');
  await node.runner.onCatalog({ kind: 'delete_collection', collection: 'films' });
  await node.runner.onCatalog({ kind: 'create_collection', collection: 'films', request: REQUEST });
  expect(await end(node.runner, 'films', true)).toBe(false);
  expect(node.catalog.recoveries.unfinished()).toEqual([]);
});

test('a single node starts without what was not whole', async () => {
  await using directory = await temporaryDirectory();
  {
    await using node = await opened(directory.path);
    for (const name of ['whole', 'part']) await begin(node.runner, name);
    await end(node.runner, 'whole', true);
  }
  await using node = await opened(directory.path);
  expect(node.catalog.names()).toEqual(['whole']);
});

test('a node of a cluster knows what is not whole after a start, and so does one that copies from it', async () => {
  await using directory = await temporaryDirectory();
  {
    await using node = await opened(directory.path, 'north');
    await begin(node.runner, 'part', { id: 'first', node: 'north' });
  }
  await using north = await opened(directory.path, 'north');
  const unfinished = [{ collection: 'part', id: 'first', node: 'north' }];
  expect(north.catalog.recoveries.unfinished()).toEqual(unfinished);
  await using other = await temporaryDirectory();
  await using east = await opened(other.path, 'east');
  await east.catalog.adopt(listingOf(north.catalog));
  expect(east.catalog.recoveries.unfinished()).toEqual(unfinished);
});
