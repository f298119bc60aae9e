// SPDX-License-Identifier: Apache-2.0
/** What a cluster whose nodes share no secret says of itself over REST, what it refuses there, and a node that goes for good in the middle of a recovery. */
import { missingNats, temporaryDirectory, temporaryNats } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { environmentOf, sextant } from '../clients/sextant.ts';
import { vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { pausedRecovery, slowSnapshot } from './paused-recovery.ts';

const missing = missingNats();
/** Only what hangs takes so long, on however busy a machine. */
const PATIENCE = { timeout: 120_000, interval: 500 };

describe.skipIf(missing !== undefined)(missing ?? 'two nodes over NATS', () => {
  test('say who is there, keep consistency, and refuse what would change one of them alone', async () => {
    await using nats = await temporaryNats();
    await using northern = await temporaryDirectory();
    await using eastern = await temporaryDirectory();
    const directories = { north: northern.path, east: eastern.path };
    const start = (node: 'north' | 'east') =>
      startVectorServer({
        directory: directories[node],
        environment: {
          SERVICE_THREADS: '1',
          SERVICE_CAPABILITIES: 'snapshots,recovery',
          SERVICE_CLUSTER_LOG: `${nats.url}/points`,
          SERVICE_CLUSTER_NODE: node,
          SERVICE_CLUSTER_ADDRESS: `http://${node}.test:6573`,
        },
      });
    await using north = await start('north');
    await using east = await start('east');
    const collection = vectorApi(north.client).collection('films');
    await collection.create({ vectors: { size: 1, distance: 'Dot' } });
    await collection.upsert([{ id: 1, vector: [1], payload: {} }]);

    // Read at the other node, at once: without consistency it might not have it yet.
    for (const [count, consistency] of ['majority', 'quorum', 'all', '2'].entries()) {
      await collection.upsert([{ id: count + 10, vector: [1], payload: {} }]);
      const reply = await east.client.request('POST', `/collections/films/points/scroll?consistency=${consistency}`, {});
      expect(reply).toMatchObject({ status: 200, body: { result: { points: { length: count + 2 } } } });
    }

    // Whatever order a write asks for, all nodes have the writes in that of the log; an order that there is not is refused.
    for (const [count, ordering] of ['weak', 'medium', 'strong'].entries()) {
      const written = { points: [{ id: 10, vector: [count], payload: { ordering } }] };
      const wait = count % 2 === 0;
      const reply = await north.client.request('PUT', `/collections/films/points?ordering=${ordering}&wait=${wait}`, written);
      expect(reply).toMatchObject({ status: 200, body: { result: { status: 'Completed' } } });
      const seen = await east.client.request('POST', '/collections/films/points?consistency=majority', { ids: [10] });
      expect(seen.body).toMatchObject({ result: [{ payload: { ordering } }] });
    }
    const points = { points: [{ id: 10, vector: [1], payload: {} }] };
    expect(await north.client.request('PUT', '/collections/films/points?ordering=loose', points)).toMatchObject({
      status: 400,
      body: { status: { error: expect.stringContaining('ordering') } },
    });
    for (const consistency of ['0', 'some', '-1', '1.5']) {
      expect(await north.client.request('POST', `/collections/films/points/scroll?consistency=${consistency}`, {})).toMatchObject({
        status: 400,
        body: { status: { error: expect.stringContaining('majority, quorum, all or a number of replicas') } },
      });
    }

    const { body } = await north.client.request('GET', '/cluster');
    const { result } = body as { result: { peer_id: number; peers: { [id: string]: { name: string; uri: string } } } };
    expect(result).toMatchObject({
      status: 'enabled',
      raft_info: { commit: 9, pending_operations: 0, leader: null, role: null, is_voter: true },
      consensus_thread_status: { consensus_thread_status: 'working' },
    });
    const metrics = String((await north.client.request('GET', '/metrics')).body);
    for (const line of ['cluster_log_position 9', 'cluster_applied_position 9', 'cluster_log_connected 1'])
      expect(metrics.split('\n')).toContain(line);
    const peers = Object.entries(result.peers);
    expect(peers.map(([, { name, uri }]) => `${name} ${uri}`).toSorted()).toEqual([
      'east http://east.test:6573',
      'north http://north.test:6573',
    ]);
    const idOf = (name: string) => Number(peers.find(([, peer]) => peer.name === name)?.[0]);
    expect(result.peer_id).toBe(idOf('north'));
    expect((await east.client.request('GET', '/collections/films/cluster')).body).toMatchObject({
      result: {
        peer_id: idOf('east'),
        shard_count: 1,
        local_shards: [{ shard_id: 0, points_count: 5, state: 'Active' }],
        remote_shards: [{ shard_id: 0, peer_id: idOf('north'), state: 'Active' }],
      },
    });

    const telemetry = await east.client.request('GET', '/telemetry?details_level=3');
    const uri = (node: string) => ({ uri: `http://${node}.test:6573` });
    expect(telemetry.body).toMatchObject({
      result: {
        collections: {
          collections: [
            {
              id: 'films',
              shards: [
                {
                  id: 0,
                  local: { num_points: 5 },
                  remote: [{ shard_id: 0, peer_id: idOf('north') }],
                  replicate_states: { [idOf('east')]: 'Active', [idOf('north')]: 'Active' },
                },
              ],
            },
          ],
        },
        cluster: {
          enabled: true,
          status: { number_of_peers: 2, commit: 9, pending_operations: 0, peer_id: idOf('east') },
          peers: { [idOf('east')]: uri('east'), [idOf('north')]: uri('north') },
        },
      },
    });
    const hidden = JSON.stringify((await east.client.request('GET', '/telemetry?details_level=3&anonymize=true')).body);
    for (const name of ['films', 'north.test', 'east.test']) expect(hidden).not.toContain(name);

    const refused = async (method: string, path: string, sent?: unknown) => {
      const reply = await north.client.request(method, path, sent);
      const { status, message } = reply.body as { status: { error?: string }; message?: string };
      return `${reply.status} ${message ?? status.error}`;
    };
    expect(await refused('DELETE', `/cluster/peer/${idOf('east')}`)).toBe(
      '409 The node east is alive and would rejoin the cluster; stop it first',
    );
    expect(await refused('DELETE', '/cluster/peer/7')).toBe('404 The cluster has no peer 7; its description lists them');
    expect(await refused('PUT', '/collections/films/snapshots/x.snapshot/recover', {})).toMatch(
      /^501 recover_named_snapshot is not served in a cluster: a collection cannot be replaced/,
    );
    expect(await refused('POST', '/auth/admin', { password: 'a long password 1' })).toMatch(
      /^501 create_admin is not served in a cluster: .* without SERVICE_CLUSTER_SECRET/,
    );
    const large = Array.from({ length: 200 }, (_, id) => ({ id, vector: [1], payload: { text: 'x'.repeat(6000) } }));
    expect(await refused('PUT', '/collections/films/points', { points: large })).toMatch(
      /^413 The write takes 12\d{5} bytes in the log of the cluster/,
    );

    const cli = (...args: string[]) => sextant(['cluster', ...args], environmentOf(northern.path, { SEXTANT_URL: north.address }));
    const listed = await cli('status');
    expect(listed.stdout).toMatch(/east +http:\/\/east\.test:6573 .*\n(?:.*\n)*.*north +http/);
    expect(await cli('remove', 'west')).toMatchObject({ code: 5, stderr: expect.stringContaining('the cluster has no node "west"') });
    const { file, count } = await slowSnapshot(north, 'large');
    const recovering = await pausedRecovery({ file, target: 'part', node: east, observer: north });
    await east.kill();
    expect(await recovering.outcome).toBe('no answer');
    // Until it counts as dead, removing it is refused.
    await expect.poll(async () => (await cli('remove', 'east')).code, { interval: 2000 }).toBe(0);
    expect(JSON.parse((await cli('status', '--json')).stdout)).toMatchObject({ peers: { [idOf('north')]: { name: 'north' } } });
    expect((await cli('status')).stdout).not.toContain('east');
    // What it was recovering is given up.
    const { call } = vectorApi(north.client);
    await expect.poll(() => call('GET', '/collections/part/exists'), PATIENCE).toEqual({ exists: false });
    expect(await call('POST', '/collections/large/points/count', {})).toEqual({ count });
  });
});
