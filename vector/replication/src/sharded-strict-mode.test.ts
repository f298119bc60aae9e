// SPDX-License-Identifier: Apache-2.0
/** What a strict mode allows of a collection in shards, by what all of them hold, wherever they are. */
import { ServiceError } from '@sextant/contracts-vector';
import type { Demand } from '@sextant/vector-collection';
import { expect, test } from 'vitest';
import { type TestNode, temporaryCluster } from './replicas.fixture.ts';

const PLACE = { vectors: { size: 2, distance: 'Dot' } } as const;
const points = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: from + at, vector: [from + at, 1], payload: { color: at % 2 === 0 ? 'red' : 'blue' } }));

const upsert: Demand = { kind: 'write', parts: [{ charge: 1, puts: { what: 'points', count: 1, lengths: [] } }] };
const red = { must: [{ key: 'color', match: { value: 'red' } }] };
const deleteRed: Demand = { kind: 'write', parts: [{ charge: 'matching points', filter: red }] };

/** Ten points in three shards on two nodes, under a strict mode. */
async function twoNodes(strictMode: object) {
  const cluster = temporaryCluster();
  const placement = [['north'], ['east'], ['north']];
  const open = (name: string) =>
    cluster.open({ directory: cluster.directory(name), log: cluster.log(), name, placement, peers: cluster.peers });
  const nodes = [await open('north'), await open('east')] as const;
  const [north] = nodes;
  await north.engine.createCollection('places', PLACE);
  await north.engine.upsert('places', points(0, 10));
  await north.engine.updateCollection('places', { strict_mode_config: { enabled: true, ...strictMode } });
  for (const { replicator } of nodes) await replicator?.caughtUp();
  return { nodes, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

const refusalOf = async (node: TestNode, demand: Demand): Promise<string | undefined> => {
  try {
    await node.engine.admit('places', () => demand);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
};

test.each([
  [{ max_points_count: 10 }, { max_points_count: 11 }, 'Max points count limit of 10 reached!'],
  // Ten vectors of two components of four bytes, of which no shard has all.
  [
    { max_collection_vector_size_bytes: 80 },
    { max_collection_vector_size_bytes: 81 },
    'Max vector storage size limit of 0.0000762939453125MB reached!',
  ],
  // Each shard has a page.
  [
    { max_collection_payload_size_bytes: 3 * 4096 },
    { max_collection_payload_size_bytes: 3 * 4096 + 1 },
    'Max payload storage size limit of 0.01171875MB reached!',
  ],
])('%j holds for all shards together, at any node', async (reached, notReached, refusal) => {
  await using cluster = await twoNodes(reached);
  for (const node of cluster.nodes) expect(await refusalOf(node, upsert)).toBe(refusal);
  await cluster.nodes[0].engine.updateCollection('places', { strict_mode_config: notReached });
  for (const node of cluster.nodes) {
    await node.replicator?.caughtUp();
    expect(await refusalOf(node, upsert)).toBeUndefined();
  }
});

test('what does not grow the collection asks no shard how much it holds', async () => {
  await using cluster = await twoNodes({ max_points_count: 1 });
  const [north, east] = cluster.nodes;
  // Of a shard that cannot be asked, nobody knows what it holds.
  await east.engine.close();
  expect(await refusalOf(north, { kind: 'write', parts: [{ charge: 1 }] })).toBeUndefined();
});

test('a write by filter takes a token for each point that it matches in any shard', async () => {
  // Five are red, and the filter has one condition.
  await using cluster = await twoNodes({ write_rate_limit: 5 });
  for (const node of cluster.nodes) expect(await refusalOf(node, deleteRed)).toContain('Operation requires 6 tokens');
});
