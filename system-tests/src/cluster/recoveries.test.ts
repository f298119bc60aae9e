// SPDX-License-Identifier: Apache-2.0
/** A recovery whose node never comes back, in a cluster whose nodes share no secret and cannot copy shards from each other. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildServer, pauseProcess } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { environmentOf, sextant } from '../clients/sextant.ts';
import { vectorApi } from '../vector-api.ts';
import { type ClusterNodes, LOGS, NODES, startCluster } from './cluster-nodes.ts';

const { missing, start } = LOGS.NATS ?? { missing: 'no NATS', start: () => Promise.reject(new Error('no NATS')) };
/** Takes a while to write. */
const POINTS = 10_000;
const GONE = 1;
const SETTLED_MS = 500;
/** Of recoveries that end before the node can be killed. */
const TRIES_MAX = 5;
/** Only what hangs takes so long, on however busy a machine. */
const PATIENCE = { timeout: 120_000, interval: 500 };

describe.skipIf(missing !== undefined)(missing ?? 'three nodes over NATS', () => {
  test('give a recovery up when its node is removed', { timeout: 300_000 }, async () => {
    await using log = await start();
    // Nothing is done about a node that is silent alone.
    await using cluster = await startCluster(log, {
      environment: { SERVICE_CLUSTER_SECRET: undefined, SERVICE_CLUSTER_REPLACE_SECONDS: '0' },
    });
    const [north, , south] = [0, GONE, 2].map((node) => vectorApi(at(cluster, node).client));
    if (north === undefined || south === undefined) throw new Error('every node was started');
    await north.call('PUT', '/collections/films', { vectors: { size: 1, distance: 'Dot' } });
    for (let first = 0; first < POINTS; first += 1000) {
      const points = Array.from({ length: 1000 }, (_, place) => ({ id: first + place, vector: [place] }));
      await north.call('PUT', '/collections/films/points', { points });
    }
    const { name } = await north.call<{ readonly name: string }>('POST', '/collections/films/snapshots');
    const file = await (await fetch(`${at(cluster, 0).address}/collections/films/snapshots/${name}`)).blob();
    await interrupted(cluster, file);

    const remove = () => sextant(['cluster', 'remove', NODES[GONE]], environmentOf('/', { SEXTANT_URL: at(cluster, 0).address }));
    await expect.poll(remove, PATIENCE).toMatchObject({ code: 0 });
    for (const { call } of [north, south]) {
      await expect.poll(() => call('GET', '/collections/part/exists'), PATIENCE).toEqual({ exists: false });
      expect(await call('POST', '/collections/films/points/count', {})).toEqual({ count: POINTS });
    }
  });
});

/** Kills the node in the middle of a recovery as `part`; one that has ended before is removed, and another one tried. */
async function interrupted(cluster: ClusterNodes, file: Blob): Promise<void> {
  const { client } = at(cluster, 0);
  const written = async () => {
    const { body } = await client.request('GET', '/collections/part');
    return (body as { readonly result?: { readonly points_count: number } }).result?.points_count ?? 0;
  };
  for (let tries = 1; ; tries++) {
    const form = new FormData();
    form.set('snapshot', file, 'films.snapshot');
    const upload = fetch(`${at(cluster, GONE).address}/collections/part/snapshots/upload`, { method: 'POST', body: form });
    const recovering = upload.then(
      ({ status }) => `answered ${status}`,
      () => 'no answer',
    );
    await expect.poll(written, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0);
    await pauseProcess(at(cluster, GONE).pid);
    // What it has sent before arrives meanwhile.
    await sleep(SETTLED_MS);
    if ((await written()) < POINTS) {
      await at(cluster, GONE).kill();
      expect(await recovering).toBe('no answer');
      return;
    }
    process.kill(at(cluster, GONE).pid, 'SIGCONT');
    expect([await recovering, tries]).toEqual(['answered 200', expect.toSatisfy((count: number) => count < TRIES_MAX)]);
    await expect.poll(async () => (await client.request('DELETE', '/collections/part')).status, PATIENCE).toBe(200);
  }
}

function at(cluster: ClusterNodes, node: number): ChildServer {
  const server = cluster.servers[node];
  if (server === undefined) throw new Error('every node was started');
  return server;
}
