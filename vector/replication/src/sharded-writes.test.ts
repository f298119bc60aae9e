// SPDX-License-Identifier: Apache-2.0
/** Writes that name points of a collection in shards, while these come and go. */
import { expect, test } from 'vitest';
import { openNode, rewind, temporaryCluster } from './replicas.fixture.ts';

const LINE = { vectors: { size: 1, distance: 'Dot' } } as const;
const points = Array.from({ length: 9 }, (_, id) => ({ id, vector: [id], payload: {} }));
const PARTS = ['line', ...[0, 1, 2].map((shard) => `line\u001f${shard}`)];

test('a write that names a point that is not there changes none, and one that goes after the look is passed over', async () => {
  await using cluster = temporaryCluster();
  const { engine, replicator, catalog } = await cluster.open({ directory: cluster.directory('a'), log: cluster.log(), shards: 3 });
  await engine.createCollection('line', LINE);
  await engine.upsert('line', points);
  const name = (ids: readonly number[]) => ({ selector: { points: ids }, payload: { seen: true } });
  await expect(engine.setPayload('line', name([1, 2, 77]))).rejects.toMatchObject({ code: 'point_not_found', details: { id: 77 } });
  expect(await engine.count('line', { filter: { must: [{ key: 'seen', match: { value: true } }] } })).toBe(0);

  // As if it had gone between the look and the write.
  await engine.deletePoints('line', { points: [2] });
  await replicator?.onCollection({ kind: 'set_payload', collection: 'line', change: name([1, 2, 3]), isChecked: true });
  expect(await engine.count('line', { filter: { must: [{ key: 'seen', match: { value: true } }] } })).toBe(2);

  // As from a node that did not know that the collection is in shards.
  const unchecked = replicator?.onCollection({ kind: 'set_payload', collection: 'line', change: name([1, 77]) });
  await expect(unchecked).rejects.toMatchObject({ name: 'PointsUncheckedError' });
  expect(new Set(PARTS.map((part) => catalog.writer(part).sequence)).size).toBe(1);
});

test('a node that reads the log again applies nothing twice in any part', async () => {
  await using cluster = temporaryCluster();
  const open = () => openNode({ directory: cluster.directory('a'), log: cluster.log(), shards: 3 });
  const node = await open();
  await node.engine.createCollection('line', LINE);
  await node.engine.upsert('line', points);
  await node.engine.setPayload('line', { selector: { points: [1, 4, 8] }, payload: { seen: true } });
  await node.engine.deletePoints('line', { filter: { must: [{ has_id: [5, 6] }] } });
  const before = PARTS.map((part) => node.dump(part));
  expect(before.map(([sequence]) => sequence)).toEqual(PARTS.map(() => 'sequence 3'));
  await node.engine.close();
  rewind(cluster.directory('a'), { marks: true });
  const again = await open();
  expect(PARTS.map((part) => again.dump(part))).toEqual(before);
  await again.engine.close();
});
