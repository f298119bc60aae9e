// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createOutboundGuard } from '@sextant/foundation-service';
import { freePort } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { hurriedClock } from '../../testing/provider-stand-in.ts';
import type { ClusterProvider, ClusterRequest, ClusterStep } from './cluster.ts';
import { clusterLauncher } from './cluster-launcher.ts';

const REQUEST: ClusterRequest = { place: {}, credential: null, config: {}, owner: '1', run: 'job-1' };

function providerOf(advance: () => ClusterStep) {
  const released: string[] = [];
  const attempt = { advance: () => Promise.resolve(advance()), release: async () => void released.push('one') };
  const provider: ClusterProvider = { validate: () => {}, check: async () => {}, attempt: () => attempt };
  const outbound = createOutboundGuard({ allowPrivateNetworks: true });
  return { released, launcher: clusterLauncher(provider, { outbound, clock: hurriedClock() }) };
}

function running(port: number): ClusterStep {
  return { kind: 'running', name: 'c', connect: { host: '127.0.0.1', port, tls: false, token: undefined } };
}

test('a server is taken once it listens, and released once', async () => {
  const server = createServer((socket) => void socket.on('error', () => undefined));
  const port = await freePort();
  const { launcher, released } = providerOf(() => running(port));
  const states: string[] = [];
  const onState = ({ state }: { readonly state: string }) => {
    states.push(state);
    if (states.length === 1) server.listen(port, '127.0.0.1');
  };
  const { address, release } = await launcher.acquire({ ...REQUEST, onState }, new AbortController().signal);
  expect(address).toMatchObject({ address: '127.0.0.1', port: (server.address() as AddressInfo).port });
  expect(states[0]).toBe('Spark Connect does not listen yet');
  expect(released).toEqual([]);
  await release();
  expect(released).toEqual(['one']);
  server.close();
  await once(server, 'close');
});

test('a cancelled job stops waiting, and leaves nothing of its own', async () => {
  const { launcher, released } = providerOf(() => ({ kind: 'waiting', name: 'c', state: 'CREATING' }));
  const cancelled = new AbortController();
  const reason = new Error('a person ended it');
  const cancel = () => cancelled.abort(reason);
  await expect(launcher.acquire({ ...REQUEST, onState: cancel }, cancelled.signal)).rejects.toBe(reason);
  expect(released).toEqual(['one']);
});

test('a server that nobody reaches ends the wait with a sentence', async () => {
  const port = await freePort();
  const { launcher, released } = providerOf(() => running(port));
  await expect(launcher.acquire(REQUEST, new AbortController().signal)).rejects.toThrow(
    `cluster c was not ready within 30 minutes; its last state: Spark Connect does not listen yet at 127.0.0.1:${port}; the network of the service must reach it`,
  );
  expect(released).toEqual(['one']);
});
