// SPDX-License-Identifier: Apache-2.0
/** `sextant cluster`: which nodes serve the same collections, and how far each is. */
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ClusterStatus } from '@sextant/sdk';
import { vectorClient } from '../connection/clients.ts';
import type { Shell } from '../shell.ts';
import { count } from '../terminal/figures.ts';
import { keysCommand } from './cluster-keys.ts';
import { peerIdOf } from './cluster-peers.ts';
import { reshardCommand } from './cluster-reshard.ts';
import { drainCommand, moveCommand } from './cluster-shards.ts';

type Enabled = Extract<ClusterStatus, { readonly status: 'enabled' }>;

export function clusterCommand(shell: Shell): CommandUnknownOpts {
  return new Command('cluster')
    .summary('list the nodes of a cluster, move and split shards, manage shard keys, and remove a node that is permanently lost')
    .description('Manages the cluster that the vector service is a node of.')
    .addCommand(statusCommand(shell))
    .addCommand(moveCommand(shell))
    .addCommand(drainCommand(shell))
    .addCommand(reshardCommand(shell))
    .addCommand(keysCommand(shell))
    .addCommand(removeCommand(shell));
}

function statusCommand(shell: Shell): Command {
  return new Command('status').description('Lists the nodes and how many log entries each is behind.').action(async () => {
    const status = await (await vectorClient(shell)).cluster({ signal: shell.signal });
    shell.terminal.result(status, () =>
      status.status === 'disabled' ? 'The service is a single node without a cluster.' : tableOf(status, shell),
    );
  });
}

function tableOf({ peers, raft_info: { commit }, consensus_thread_status: log }: Enabled, shell: Shell): string {
  const nodes = Object.values(peers).toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const table = shell.terminal.table(
    ['node', 'address', { title: 'behind', align: 'right' }, { title: 'silent for', align: 'right' }, 'disk'],
    nodes.map(({ name, uri, applied, silent_seconds: silent, has_room: hasRoom }) => [
      name,
      uri,
      count(Math.max(0, commit - applied)),
      `${count(silent)} s`,
      hasRoom ? 'has room' : 'full',
    ]),
  );
  return log.consensus_thread_status === 'working' ? table : `${table}\n${log.err}`;
}

function removeCommand(shell: Shell) {
  return new Command('remove')
    .description('Removes a node that is permanently lost, so that the log no longer keeps entries for it.')
    .argument('<node>', 'its name')
    .option(
      '--force',
      'also remove a node that holds shards: shards with copies on other nodes are copied again, all others are lost',
      false,
    )
    .action(async (node, { force }) => {
      const client = await vectorClient(shell);
      await client.removePeer(await peerIdOf(client, node, shell.signal), { force, signal: shell.signal });
      shell.terminal.result({ removed: node }, () => `Removed ${node}.`);
    });
}
