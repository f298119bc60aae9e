// SPDX-License-Identifier: Apache-2.0
/** Recoveries of nodes that are gone, as the node that decides for the others ends them, whether or not nodes can copy shards from each other. */
import { join } from 'node:path';
import { manualClock, seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { Catalog, CatalogView, isAwaited, localRunner, silentLog } from '@sextant/vector-collection';
import type { Member } from '@sextant/vector-log';
import { openSystemStorage } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import { ClusterGauges } from './cluster-gauges.ts';
import { replacingCopies } from './replacing-copies.ts';

const REQUEST = { vectors: { size: 1, distance: 'Dot' } } as const;
const LOOK_MS = 2000;
/** Two looks more than it takes to miss one that was removed. */
const LOOKS = 7;

const member = (node: string, silentMs = 0): Member => ({ node, address: `http://${node}.test`, applied: 1, isFull: false, silentMs });

/** A node that is recovering `films` by the word of east, and looks at the members again and again. */
async function looking({ node = 'north', afterMs, canCopy }: { node?: string; afterMs: number | undefined; canCopy: boolean }) {
  const directory = await temporaryDirectory();
  const system = openSystemStorage({ directory: join(directory.path, 'system') });
  const view = new CatalogView({ clock: systemClock, random: seededRandom(1), log: silentLog, residentMemoryPercent: () => 0 });
  const listener = {
    event: async (event: Parameters<CatalogView['apply']>[0]) => {
      const ended = view.apply(event);
      if (isAwaited(event)) await ended;
    },
    written: () => undefined,
  };
  const catalog = new Catalog({ dataDirectory: directory.path, system, log: silentLog, clock: systemClock, listener, node });
  await catalog.load();
  const runner = localRunner(catalog);
  const recovery = { id: 'first', node: 'east' };
  await runner.onCatalog({ kind: 'create_collection', collection: 'films', request: REQUEST, recovery });
  const clock = manualClock();
  const submitted: unknown[] = [];
  const submit = async (operation: Parameters<typeof runner.onCatalog>[0]) => {
    submitted.push(operation);
    return runner.onCatalog(operation);
  };
  const gauges = new ClusterGauges(ClusterGauges.allocate());
  const look = replacingCopies({ node, afterMs, canCopy, view, catalog, gauges, submit, clock, log: silentLog });
  return {
    catalog,
    submitted,
    looks: (members: (nowMs: number) => readonly Member[], count = LOOKS) => {
      for (let looks = 0; looks < count; looks++) {
        look(members(clock.nowMs()));
        clock.advance(LOOK_MS);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await view.close();
      await catalog.close();
      system.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

const GIVEN_UP = [{ kind: 'end_recovery', collection: 'films', id: 'first', isDone: false }];

test.each([true, false])('a node that was removed ends its recoveries, copies of shards (%s) or not', async (canCopy) => {
  await using cluster = await looking({ afterMs: undefined, canCopy });
  cluster.looks(() => [member('north'), member('south')]);
  expect(cluster.submitted).toEqual(GIVEN_UP);
  await expect.poll(() => cluster.catalog.names()).toEqual([]);
});

test('a node that has been silent for long enough ends them, too', async () => {
  await using cluster = await looking({ afterMs: 20_000, canCopy: false });
  const members = (nowMs: number) => [member('north'), member('east', 11_000 + nowMs)];
  cluster.looks(members, 9);
  expect(cluster.submitted).toEqual([]);
  cluster.looks(members, 4);
  expect(cluster.submitted).toEqual(GIVEN_UP);
});

test('one that lives, or is waited for, does not', async () => {
  await using cluster = await looking({ afterMs: undefined, canCopy: false });
  cluster.looks(() => [member('north'), member('east')], 20);
  cluster.looks((nowMs) => [member('north'), member('east', 11_000 + nowMs)], 20);
  expect(cluster.submitted).toEqual([]);
});

test('one node decides for all', async () => {
  await using cluster = await looking({ node: 'south', afterMs: undefined, canCopy: false });
  cluster.looks(() => [member('north'), member('south')], 20);
  expect(cluster.submitted).toEqual([]);
});
