// SPDX-License-Identifier: Apache-2.0
/** The nodes of a cluster by their names; the service knows them by numbers. */
import type { VectorClient } from '@sextant/sdk';
import { CommandFailure } from '../failure.ts';

export type Peer = { readonly id: number; readonly name: string; readonly isAlive: boolean };

/** A node announces itself every two seconds. */
const SILENT_SECONDS_MAX = 10;

export async function peersOf(client: VectorClient, signal: AbortSignal): Promise<readonly Peer[]> {
  const status = await client.cluster({ signal });
  if (status.status === 'disabled') throw new CommandFailure('rejected', 'the service is a single node without a cluster');
  return Object.entries(status.peers).map(([id, { name, silent_seconds: silent }]) => ({
    id: Number(id),
    name,
    isAlive: silent <= SILENT_SECONDS_MAX,
  }));
}

export async function peerIdOf(client: VectorClient, node: string, signal: AbortSignal): Promise<number> {
  return peerNamed(await peersOf(client, signal), node).id;
}

export function peerNamed(peers: readonly Peer[], node: string): Peer {
  const peer = peers.find(({ name }) => name === node);
  if (peer === undefined)
    throw new CommandFailure('not_found', `the cluster has no node ${JSON.stringify(node)}`, {
      advice: '`sextant cluster status` lists the nodes.',
    });
  return peer;
}
