// SPDX-License-Identifier: Apache-2.0
import type { CollectionOperation } from '@sextant/vector-collection';
import { shardOfPoint } from '@sextant/vector-collection';
import { expect, test } from 'vitest';
import { writesWithRoom } from './writes-with-room.ts';

const PARTS = [['a', 'b'], ['b', 'c'], ['c']].map((nodes, index) => ({ nodes, place: { collection: 'films', index, count: 3 } }));
/** One of each shard. */
const [FIRST = 0, SECOND = 0, THIRD = 0] = PARTS.map((_, shard) =>
  Array.from({ length: 50 }, (__, id) => id).find((id) => shardOfPoint(id, 3) === shard),
);

const upsert = (...ids: readonly number[]): CollectionOperation => ({
  kind: 'upsert',
  collection: 'films',
  points: ids.map((id) => ({ id, vector: [1] })),
});

async function refusalOf(operation: CollectionOperation, full: readonly string[], fullAfterMeeting = full): Promise<string | undefined> {
  let isFull = (node: string) => full.includes(node);
  const runner = writesWithRoom({
    runner: { onCatalog: async () => true, onCollection: async () => ({ operation_id: 1, status: 'Completed' }) },
    partsOf: (collection) => (collection === 'films' ? PARTS : undefined),
    isFull: (node) => isFull(node),
    meet: async () => {
      isFull = (node) => fullAfterMeeting.includes(node);
    },
  });
  return runner.onCollection(operation).then(
    () => undefined,
    (error: unknown) => String(error),
  );
}

test.each([
  ['nobody is full', upsert(FIRST, SECOND, THIRD), [], undefined],
  ['a copy of a shard is on a full node', upsert(THIRD, SECOND), ['b'], 'b'],
  ['only other shards are', upsert(THIRD), ['a', 'b'], undefined],
  [
    'a filter says what changes',
    { kind: 'set_payload', collection: 'films', change: { selector: { filter: {} }, payload: {} } },
    ['a'],
    'a',
  ],
  ['points are deleted', { kind: 'delete_points', collection: 'films', selector: { filter: {} } }, ['a', 'b', 'c'], undefined],
  ['the collection is not sharded', { ...upsert(FIRST), collection: 'whole' }, ['a', 'b', 'c'], undefined],
  ['a field index is made', { kind: 'create_field_index', collection: 'films', field: 'a', schema: { type: 'keyword' } }, ['a'], undefined],
] as const)('a write where %s', async (_, operation, full, node) => {
  const refusal = await refusalOf(operation, full);
  if (node === undefined) expect(refusal).toBeUndefined();
  else expect(refusal).toContain(`The disk of the node ${node}, which holds a copy of what is written to films, is full`);
});

test('a node that has room again is found out at once', async () => {
  expect(await refusalOf(upsert(FIRST), ['a'], [])).toBeUndefined();
});
