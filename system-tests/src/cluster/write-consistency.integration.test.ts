// SPDX-License-Identifier: Apache-2.0
/** `write_consistency_factor`: a write is answered when as many copies have it as the collection wants, and refused where too few nodes are alive. */
import { type ChildServer, missingNats } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { vectorApi } from '../vector-api.ts';
import { sharedCluster } from './shared-cluster.ts';

const missing = missingNats();
const LINE = { vectors: { size: 1, distance: 'Dot' } } as const;
const [NORTH, EAST, SOUTH] = [0, 1, 2];
const points = (...ids: readonly number[]) => ({ points: ids.map((id) => ({ id, vector: [id] })) });

describe.skipIf(missing !== undefined)(missing ?? 'three nodes over NATS', () => {
  test('answer a write when the copies have it, and refuse one where too few are alive', { timeout: 240_000 }, async () => {
    const { cluster } = await sharedCluster();
    const at = (node: number): ChildServer => {
      const server = cluster.servers[node];
      if (server === undefined) throw new Error('every node was started');
      return server;
    };
    const send = (node: number, method: string, path: string, body?: object) => vectorApi(at(node).client).call(method, path, body);
    const write = (node: number, collection: string, ...ids: readonly number[]) =>
      at(node).client.request('PUT', `/collections/${collection}/points`, points(...ids));
    const count = async (node: number, collection: string, consistency = '') =>
      ((await send(node, 'POST', `/collections/${collection}/points/count${consistency}`, {})) as { count: number }).count;

    await send(NORTH, 'PUT', '/collections/everywhere', { ...LINE, write_consistency_factor: 3 });
    await send(NORTH, 'PUT', '/collections/most', { ...LINE, write_consistency_factor: 2 });
    const halves = { ...LINE, shard_number: 3, replication_factor: 2, write_consistency_factor: 2 };
    await send(NORTH, 'PUT', '/collections/halves', halves);
    await send(NORTH, 'PUT', '/collections/copies', { ...LINE, shard_number: 2, replication_factor: 3 });

    // A node that stands still has not confirmed anything.
    process.kill(at(SOUTH).pid, 'SIGSTOP');
    let isAnswered = false;
    const waiting = write(NORTH, 'everywhere', 1).then((reply) => {
      isAnswered = true;
      return reply;
    });
    // It comes later in the log, so what the first one waits for is not its own node.
    await expect.poll(() => count(NORTH, 'everywhere')).toBe(1);
    expect(await write(NORTH, 'most', 1)).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(isAnswered).toBe(false);
    process.kill(at(SOUTH).pid, 'SIGCONT');
    expect(await waiting).toMatchObject({ status: 200 });
    expect(await count(SOUTH, 'everywhere')).toBe(1);

    expect(await write(EAST, 'halves', 1, 2, 3, 4, 5, 6, 7, 8)).toMatchObject({ status: 200 });

    await at(SOUTH).kill();
    // Nobody knows yet that it is dead: the log has the write, and every node will have it.
    expect(await write(NORTH, 'halves', 11, 12, 13, 14, 15, 16, 17, 18)).toMatchObject({
      status: 503,
      body: { status: { error: expect.stringMatching(/^The write is in the log .* 1 of the 2 copies .*south/) } },
    });
    const refused = {
      status: 503,
      body: { status: { error: expect.stringMatching(/^Nothing was written: .* 2 copies of a shard.* alive is 1 \(south away\)/) } },
    };
    await expect.poll(() => write(NORTH, 'halves', 11, 12, 13, 14, 15, 16, 17, 18), { timeout: 60_000 }).toMatchObject(refused);
    expect(await write(NORTH, 'halves', 21, 22, 23, 24, 25, 26, 27, 28)).toMatchObject(refused);
    expect(await write(EAST, 'everywhere', 2)).toMatchObject({ status: 503 });
    expect(await write(EAST, 'most', 2)).toMatchObject({ status: 200 });
    // New shards have as many copies as those that they take the place of, or there are none.
    const divide = { start_resharding: { direction: 'up' } };
    expect(await at(EAST).client.request('POST', '/collections/copies/cluster', divide)).toMatchObject({
      status: 400,
      body: { status: { error: expect.stringMatching(/each shard needs 3 copies, but only 2 nodes are alive/) } },
    });
    // Changing what a collection wants is no write of points, or nobody could.
    await send(EAST, 'PATCH', '/collections/everywhere', { params: { write_consistency_factor: 1 } });
    expect(await write(EAST, 'everywhere', 2)).toMatchObject({ status: 200 });

    await cluster.start(SOUTH);
    await expect.poll(() => write(NORTH, 'halves', 31), { timeout: 60_000 }).toMatchObject({ status: 200 });
    // None of the writes that were refused, and the one whose confirmation was late.
    expect(await count(SOUTH, 'halves', '?consistency=majority')).toBe(17);
    expect(await count(SOUTH, 'everywhere', '?consistency=majority')).toBe(2);
  });
});
