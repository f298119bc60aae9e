// SPDX-License-Identifier: Apache-2.0
/** When a write is answered whose collection wants several copies to have it. */
import { manualClock } from '@sextant/foundation-std';
import { type CollectionOperation, shardOfPoint } from '@sextant/vector-collection';
import { expect, test } from 'vitest';
import { type Confirmation, confirmedWrites } from './confirmed-writes.ts';

const WHOLE: Confirmation = { factor: 2, parts: [{ name: 'films', nodes: ['a', 'b', 'c'] }] };
const upsert = (...ids: readonly number[]): CollectionOperation => ({
  kind: 'upsert',
  collection: 'films',
  points: ids.map((id) => ({ id, vector: [id], payload: {} })),
});
const RESULT = { operation_id: 7, status: 'completed' } as const;

type Case = {
  readonly confirmation?: Confirmation | undefined;
  readonly dead?: readonly string[];
  /** Who is dead when the log is asked. */
  readonly deadNow?: readonly string[];
};

/** Node `a` takes the writes; the others confirm when the test says so. */
function writing({ confirmation, dead = [], deadNow = dead }: Case) {
  let known = dead;
  let placed = confirmation;
  const clock = manualClock();
  const written: CollectionOperation[] = [];
  const asked: { readonly node: string; readonly part: string; readonly atLeast: number; readonly end: (error?: Error) => void }[] = [];
  const runner = confirmedWrites({
    runner: {
      onCatalog: async () => true,
      onCollection: async (operation) => {
        written.push(operation);
        return RESULT;
      },
    },
    wanted: async () => placed,
    isAlive: (node) => !known.includes(node),
    meet: async () => {
      known = deadNow;
    },
    confirm: (node, part, { atLeast, signal }) =>
      new Promise((resolve, reject) => {
        if (node === 'a') return resolve(undefined);
        signal.addEventListener('abort', () => reject(new Error(String(signal.reason))));
        asked.push({ node, part, atLeast, end: (error) => (error === undefined ? resolve(undefined) : reject(error)) });
      }),
    acknowledged: () => 41,
    clock,
  });
  const of = (node: string) => asked.findLast((each) => each.node === node);
  const place = (now: Confirmation | undefined) => {
    placed = now;
  };
  return { runner, clock, written, asked, of, place };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a write is answered when as many copies have it as the collection wants, and not before', async () => {
  const { runner, written, asked, of } = writing({ confirmation: WHOLE });
  let answer: unknown;
  const writes = runner.onCollection(upsert(1)).then((result) => (answer = result));
  await settled();
  expect(written).toEqual([upsert(1)]);
  expect(asked.map(({ node, part, atLeast }) => ({ node, part, atLeast }))).toEqual([
    { node: 'b', part: 'films', atLeast: 41 },
    { node: 'c', part: 'films', atLeast: 41 },
  ]);
  expect(answer).toBeUndefined();
  of('c')?.end();
  await writes;
  expect(answer).toEqual(RESULT);
});

test.each<{ readonly what: string; readonly operation: CollectionOperation; readonly confirmation: Confirmation | undefined }>([
  { what: 'of a collection that wants one', operation: upsert(1), confirmation: { ...WHOLE, factor: 1 } },
  { what: 'of a shard with one copy', operation: upsert(1), confirmation: { factor: 3, parts: [{ name: 'films', nodes: ['b'] }] } },
  { what: 'to a collection that there is not', operation: upsert(1), confirmation: undefined },
  { what: 'that changes the collection itself', operation: { kind: 'delete_vector', collection: 'films', name: 'x' }, confirmation: WHOLE },
])('a write $what is answered at once', async ({ operation, confirmation }) => {
  const { runner, asked } = writing({ confirmation, dead: ['b', 'c'] });
  expect(await runner.onCollection(operation)).toEqual(RESULT);
  expect(asked).toEqual([]);
});

test('more copies than there are cannot be wanted', async () => {
  const { runner, of } = writing({ confirmation: { ...WHOLE, factor: 9 } });
  const write = runner.onCollection(upsert(1));
  await settled();
  of('b')?.end();
  of('c')?.end();
  expect(await write).toEqual(RESULT);
});

test('where too few are alive nothing is written', async () => {
  const { runner, written } = writing({ confirmation: WHOLE, dead: ['b', 'c'] });
  await expect(runner.onCollection(upsert(1))).rejects.toMatchObject({
    code: 'replicas_missing',
    details: { collection: 'films', needed: 2, alive: 1, away: 'b, c' },
  });
  expect(written).toEqual([]);
});

test('a node that is back counts before this one has heard of it', async () => {
  const { runner, of } = writing({ confirmation: WHOLE, dead: ['b', 'c'], deadNow: ['c'] });
  const write = runner.onCollection(upsert(1));
  await settled();
  of('b')?.end();
  expect(await write).toEqual(RESULT);
});

const SHARDS = [0, 1, 2].map((index) => ({
  name: `films ${index}`,
  nodes: index === 1 ? ['b', 'c'] : ['a', 'b'],
  place: { collection: 'films', index, count: 3 },
}));
const idIn = (shard: number) => Array.from({ length: 99 }, (_, id) => id).find((id) => shardOfPoint(id, SHARDS.length) === shard) ?? 0;

test.each<{ readonly what: string; readonly operation: CollectionOperation; readonly parts: readonly number[] }>([
  { what: 'names its points', operation: upsert(idIn(0), idIn(2)), parts: [0, 2] },
  {
    what: 'deletes points by name',
    operation: { kind: 'delete_points', collection: 'films', selector: { points: [idIn(1)] } },
    parts: [1],
  },
  {
    what: 'sets payload by a filter',
    operation: { kind: 'set_payload', collection: 'films', change: { selector: { filter: {} }, payload: { a: 1 } } },
    parts: [0, 1, 2],
  },
])('a write that $what asks for the shards that it changes', async ({ operation, parts }) => {
  const { runner, asked } = writing({ confirmation: { factor: 2, parts: SHARDS } });
  const write = runner.onCollection(operation);
  await settled();
  expect([...new Set(asked.map(({ part }) => part))]).toEqual(parts.map((index) => `films ${index}`));
  for (const { end } of asked) end();
  expect(await write).toEqual(RESULT);
});

test('a node that cannot be asked is asked again until its time is over, and what is written stays so', async () => {
  const { runner, clock, of, written } = writing({ confirmation: { ...WHOLE, factor: 3 } });
  const first = runner.onCollection(upsert(1));
  await settled();
  of('b')?.end(new Error('it is not ready'));
  of('c')?.end();
  await settled();
  clock.advance(250);
  await settled();
  of('b')?.end();
  expect(await first).toEqual(RESULT);

  const second = expect(runner.onCollection(upsert(2))).rejects.toMatchObject({
    code: 'write_unconfirmed',
    details: { collection: 'films', confirmed: 2, needed: 3, reason: 'b: it is not ready' },
  });
  await settled();
  of('c')?.end();
  of('b')?.end(new Error('it is not ready'));
  await settled();
  clock.advance(10_000);
  await second;
  expect(written).toEqual([upsert(1), upsert(2)]);
});

test('a write whose shard has given way to others is confirmed by these', async () => {
  const confirmation = { factor: 2, parts: [{ name: 'old', nodes: ['a', 'b'], place: { collection: 'films', index: 0, count: 1 } }] };
  const { runner, asked, of, place } = writing({ confirmation });
  const write = runner.onCollection(upsert(idIn(2)));
  await settled();
  expect(asked.map(({ part }) => part)).toEqual(['old']);
  place({ factor: 2, parts: SHARDS.map((shard) => ({ ...shard, nodes: ['a', 'c'] })) });
  of('b')?.end(new Error('it has the shard no more'));
  await settled();
  expect(asked.slice(1).map(({ node, part, atLeast }) => [node, part, atLeast])).toEqual([['c', 'films 2', 41]]);
  of('c')?.end();
  expect(await write).toEqual(RESULT);
});

test('a write to a collection that has been deleted since is answered', async () => {
  const { runner, of, place } = writing({ confirmation: WHOLE });
  const write = runner.onCollection(upsert(1));
  await settled();
  place(undefined);
  for (const node of ['b', 'c']) of(node)?.end(new Error('it has the collection no more'));
  expect(await write).toEqual(RESULT);
});
