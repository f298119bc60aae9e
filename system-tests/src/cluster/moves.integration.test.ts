// SPDX-License-Identifier: Apache-2.0
/** Shards of three nodes that are copied, moved, dropped and drained while a client writes, and a node that loses its disk. */
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@sextant/foundation-std';
import { type ChildServer, missingNats } from '@sextant/foundation-testing';
import { openOperationLog } from '@sextant/vector-log';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { environmentOf, sextant } from '../clients/sextant.ts';
import { hasBrowser, sharedBrowser } from '../console/browser.ts';
import { PATIENCE_MS } from '../console/console-pages.ts';
import { seriousFindings } from '../console/inspection.ts';
import { scrollAll, vectorApi } from '../vector-api.ts';
import { serverAt as at, type ClusterNodes, NODES } from './cluster-nodes.ts';
import { sharedCluster } from './shared-cluster.ts';

const missing = missingNats();
const SHARDS = 3;
/** Between two writes; without it the client takes all processors until the shards have moved. */
const PAUSE_MS = 150;

type Info = {
  readonly peer_id: number;
  readonly local_shards: readonly { readonly shard_id: number; readonly state: string }[];
  readonly remote_shards: readonly { readonly shard_id: number; readonly peer_id: number; readonly state: string }[];
  readonly shard_transfers: readonly { readonly shard_id: number; readonly comment: string; readonly sync: boolean }[];
  readonly resharding_operations: readonly unknown[];
};

describe.skipIf(missing !== undefined)(missing ?? 'three nodes over NATS', () => {
  test('move shards while a client writes, and lose no point', { timeout: 240_000 }, async () => {
    const { cluster, logUrl } = await sharedCluster();
    await send(at(cluster, 0), 'PUT', '/collections/films', { vectors: { size: 2, distance: 'Dot' }, shard_number: SHARDS });
    await send(at(cluster, 1), 'PUT', '/collections/whole', { vectors: { size: 2, distance: 'Dot' } });
    await send(at(cluster, 1), 'PUT', '/collections/copies', {
      vectors: { size: 2, distance: 'Dot' },
      shard_number: 2,
      replication_factor: NODES.length,
    });
    const peers = await Promise.all(NODES.map(async (_, node) => (await infoOf(at(cluster, node))).peer_id));
    const holdersOf = async (shard: number) => {
      const { peer_id: own, local_shards: local, remote_shards: remote } = await infoOf(at(cluster, 0));
      const all = [...local.map((each) => ({ ...each, peer_id: own })), ...remote];
      return all.filter(({ shard_id, state }) => shard_id === shard && state === 'Active').map(({ peer_id }) => peers.indexOf(peer_id));
    };
    const change = (node: number, body: object) => send(at(cluster, node), 'POST', '/collections/films/cluster', body);
    const refused = async (path: string, body: object) => {
      const reply = await at(cluster, 0).client.request('POST', `/collections/${path}/cluster`, body);
      return `${reply.status} ${(reply.body as { readonly status: { readonly error: string } }).status.error}`;
    };

    let written = 0;
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        await sleep(PAUSE_MS);
        const node = written % NODES.length;
        const points = Array.from({ length: 5 }, (_, place) => ({
          id: written * 5 + place,
          vector: [written, place],
          payload: { written },
        }));
        await send(at(cluster, node), 'PUT', '/collections/films/points', { points });
        written += 1;
        // What has been acknowledged is there at every moment, wherever its shard is by now.
        if (written % 4 === 0) {
          const counted = await send(at(cluster, node + 1), 'POST', '/collections/films/points/count?consistency=majority', {});
          expect(counted).toEqual({ count: written * 5 });
        }
      }
    })();
    const work = (async () => {
      const [holder = 0] = await holdersOf(0);
      const target = (holder + 1) % NODES.length;
      const way = { shard_id: 0, from_peer_id: peers[holder], to_peer_id: peers[target] };
      expect(await change(2, { replicate_shard: way })).toBe(true);
      await expect.poll(() => holdersOf(0), { timeout: 60_000 }).toEqual(expect.arrayContaining([holder, target]));
      expect(await refused('films', { move_shard: way })).toMatch(/^400 The placement stays as it is: the node \w+ already holds shard 0$/);
      await change(1, { drop_replica: { shard_id: 0, peer_id: peers[holder] } });
      await expect.poll(() => holdersOf(0)).toEqual([target]);
      const only = { shard_id: 0, peer_id: peers[target] };
      expect(await refused('films', { drop_replica: only })).toMatch(/holds the only copy of shard 0; move it/);
      expect(await refused('films', { drop_replica: { shard_id: 9, peer_id: peers[0] } })).toMatch(/has the shards 0 to 2/);
      expect(await refused('films', { abort_transfer: way })).toMatch(/shard 0 is not being transferred from/);
      expect(await refused('films', { drop_replica: { shard_id: 0, peer_id: 5 } })).toMatch(/^404 The cluster has no peer 5/);
      expect(await refused('whole', { drop_replica: only })).toMatch(/the collection is not sharded/);
      expect(await refused('none', { drop_replica: only })).toMatch(/^404 Collection not found: none/);
      expect(await refused('films', { create_sharding_key: { shard_key: 'x' } })).toMatch(/^400 .*divided by their ids/);

      const cli = (...args: string[]) => sextant(['cluster', ...args], environmentOf('/', { SEXTANT_URL: at(cluster, 0).address }));
      const back = await cli('move', 'films', '0', '--from', name(target), '--to', name(holder));
      expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining(`was moved from ${name(target)} to ${name(holder)}`) });
      expect(await holdersOf(0)).toEqual([holder]);
      const drained = await cli('drain', name(holder), '--json');
      expect(drained).toMatchObject({ code: 6, stderr: expect.stringContaining('still holds 2 shards') });
      const stays = [0, 1].map((shard) => ({ collection: 'copies', shard, reason: expect.stringContaining('every other live node') }));
      expect(JSON.parse(drained.stdout)).toMatchObject({ node: name(holder), kept: stays });
      expect((await cli('drain', name(holder), '--drop')).stdout).toContain(`${name(holder)} no longer holds 2 shards.`);
      const held = await Promise.all(Array.from({ length: SHARDS }, (_, shard) => holdersOf(shard)));
      expect(held.flat()).toHaveLength(SHARDS);
      expect(held.flat()).not.toContain(holder);
      return holder;
    })();
    const holder = await Promise.race([work, writing.then(() => Promise.reject(new Error('the client ended')))]).finally(() => {
      isOver = true;
    });
    await writing;
    expect((await infoOf(at(cluster, holder))).local_shards).toEqual([]);

    // A node that lost its disk gets back what others have: all shards, once each has two copies.
    for (let shard = 0; shard < SHARDS; shard++) {
      const [from = 0] = await holdersOf(shard);
      await change(0, { replicate_shard: { shard_id: shard, from_peer_id: peers[from], to_peer_id: peers[holder] } });
    }
    await expect.poll(async () => (await infoOf(at(cluster, holder))).shard_transfers, { timeout: 60_000 }).toEqual([]);
    await using page = hasBrowser ? await clusterPage(at(cluster, holder + 1)) : undefined;
    if (page !== undefined) await dropAndCopyByConsole(page, name(holder), () => holdersOf(0).then((nodes) => nodes.includes(holder)));
    await at(cluster, holder).kill();
    // While it is away, its copies of new shards cannot become complete.
    if (page !== undefined) await abortDivisionByConsole(page, at(cluster, holder + 1), name(holder));
    await cluster.loseDisk(holder);
    await forget(logUrl, cluster, holder);
    await cluster.start(holder);
    const states = async () => (await infoOf(at(cluster, holder))).local_shards.map(({ state }) => state);
    await expect.poll(states, { timeout: 60_000 }).toEqual(Array.from({ length: SHARDS }, () => 'Active'));
    const views = await Promise.all(NODES.map((_, node) => scrollAll(vectorApi(at(cluster, node).client).collection('films'))));
    expect(views[0]).toHaveLength(written * 5);
    for (const view of views) expect(view).toEqual(views[0]);
  });
});

/** The console of a node gives up its copy of the first shard, and makes it again. */
async function dropAndCopyByConsole(page: Page, node: string, hasIt: () => Promise<boolean>): Promise<void> {
  for (const each of NODES) await page.getByRole('table', { name: 'Nodes' }).getByText(each, { exact: true }).waitFor();
  await page.getByText('1 of 3 collections are not sharded').waitFor();
  const shard = page.getByRole('table', { name: 'Shards of films' }).getByRole('row').nth(1);
  await shard.getByText(`${node}: Active`).waitFor();
  await shard.getByRole('button', { name: `Drop on ${node}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Drop', exact: true }).click();
  await expect.poll(hasIt).toBe(false);
  await shard.getByText(`${node}: Active`).waitFor({ state: 'detached' });
  await shard.getByRole('button', { name: 'Move or copy shard 0' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move or copy shard 0' });
  await dialog.getByRole('combobox', { name: 'To' }).click();
  await page.getByRole('option', { name: node }).click();
  await dialog.getByRole('switch', { name: 'Keep the copy on the source node' }).click();
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await shard.getByText(`${node}: Active`).waitFor();
  await expect.poll(hasIt).toBe(true);
}

/** The console shows how far new shards are, and gives them up. */
async function abortDivisionByConsole(page: Page, server: ChildServer, away: string): Promise<void> {
  await send(server, 'POST', '/collections/films/cluster', { start_resharding: { direction: 'up' } });
  const copies = page.getByRole('table', { name: 'New shards of films' });
  await copies
    .getByRole('row')
    .filter({ hasText: away })
    .first()
    .getByText(/^the node \w+ (?:is away|does not report its progress)/)
    .waitFor();
  await copies.getByText('complete; waiting for the other copies').first().waitFor();
  await page.getByText(/^Each shard of films is being split in two: [1-9]\d* of \d+ copies of the new shards are complete\.$/).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Abort resharding' }).click();
  await page.getByRole('dialog', { name: 'Abort resharding of films?' }).getByRole('button', { name: 'Abort', exact: true }).click();
  await copies.waitFor({ state: 'detached' });
  expect((await infoOf(server)).resharding_operations).toEqual([]);
}

async function clusterPage({ address }: ChildServer): Promise<Page> {
  const page = await (await sharedBrowser()).newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${address}/console/#/cluster`);
  return page;
}

/** The log has nothing any more of what the living nodes have, as it is after 10,000 entries. */
async function forget(url: string, cluster: ClusterNodes, away: number): Promise<void> {
  for (const node of NODES.keys()) {
    if (node !== away) await send(at(cluster, node), 'POST', '/collections/films/points/count?consistency=majority', {});
  }
  const log = await openOperationLog({ url, clock: systemClock });
  const { last } = await log.describe();
  await log.truncate({ below: last });
  await log.close();
}

function name(node: number): string {
  return NODES[node] ?? '';
}

function infoOf(server: ChildServer): Promise<Info> {
  return send(server, 'GET', '/collections/films/cluster') as Promise<Info>;
}

function send(server: ChildServer, method: string, path: string, body?: object): Promise<unknown> {
  return vectorApi(server.client).call(method, path, body);
}
