// SPDX-License-Identifier: Apache-2.0
/** `sextant cluster keys`: the shard keys that divide the points of a collection. */
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ShardKey } from '@sextant/sdk';
import { vectorClient } from '../connection/clients.ts';
import { CommandFailure } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { count } from '../terminal/figures.ts';
import { peerNamed, peersOf } from './cluster-peers.ts';
import { copiesIn } from './cluster-shards.ts';
import { list, wholeNumber } from './option-values.ts';

const KEY = 'the key';
const INTEGER = 'the key is an integer (default: 7 means the string "7")';

export function keysCommand(shell: Shell): CommandUnknownOpts {
  return new Command('keys')
    .summary('list, create and drop the shard keys of a collection')
    .description('Manages shard keys, which group the points of a collection whose sharding_method is custom.')
    .addCommand(listCommand(shell))
    .addCommand(createCommand(shell))
    .addCommand(dropCommand(shell));
}

function listCommand(shell: Shell) {
  return new Command('list')
    .description('Lists the shard keys of a collection, their shards, and the nodes that hold them.')
    .argument('<collection>', 'its name')
    .action(async (name) => {
      const client = await vectorClient(shell);
      const collection = client.collection(name);
      const keys = await collection.shardKeys({ signal: shell.signal });
      const peers = await peersOf(client, shell.signal);
      const copies = copiesIn(await collection.cluster({ signal: shell.signal }));
      const nameOf = (id: number) => peers.find((peer) => peer.id === id)?.name ?? String(id);
      const rows = keys.map((key) => {
        const own = copies.filter(({ shard_key }) => shard_key === key);
        const shards = [...new Set(own.map(({ shard_id }) => shard_id))].toSorted((one, other) => one - other);
        return { key, shards, nodes: [...new Set(own.map(({ peer_id }) => nameOf(peer_id)))].toSorted() };
      });
      shell.terminal.result(rows, () =>
        shell.terminal.table(
          ['key', 'type', 'shards', 'nodes'],
          rows.map(({ key, shards, nodes }) => [
            String(key),
            typeof key === 'number' ? 'integer' : 'text',
            shards.join(', '),
            nodes.join(', '),
          ]),
        ),
      );
    });
}

function createCommand(shell: Shell) {
  return new Command('create')
    .description('Creates a shard key and its shards on nodes of the cluster.')
    .argument('<collection>', 'its name')
    .argument('<key>', KEY)
    .option('--integer', INTEGER, false)
    .option('--shards <n>', 'number of shards (default: that of the collection)', wholeNumber({ min: 1 }))
    .option('--replicas <n>', 'number of nodes that hold each shard (default: that of the collection)', wholeNumber({ min: 1 }))
    .option('--on <nodes>', 'nodes that hold the shards, separated by commas (default: the nodes with the fewest shards)', list)
    .action(async (collection, text, { integer, shards, replicas, on = [] }) => {
      const key = keyOf(text, integer);
      const client = await vectorClient(shell);
      const peers = on.length === 0 ? [] : await peersOf(client, shell.signal);
      const wanted = {
        ...(shards === undefined ? {} : { shards_number: shards }),
        ...(replicas === undefined ? {} : { replication_factor: replicas }),
        ...(on.length === 0 ? {} : { placement: on.map((node) => peerNamed(peers, node).id) }),
      };
      await client.collection(collection).createShardKey(key, wanted, { signal: shell.signal });
      shell.terminal.result({ collection, key, created: true }, () => `Created the shard key ${text} of ${collection}.`);
    });
}

function dropCommand(shell: Shell) {
  return new Command('drop')
    .description('Drops a shard key with all its points.')
    .argument('<collection>', 'its name')
    .argument('<key>', KEY)
    .option('--integer', INTEGER, false)
    .option('--yes', 'drop it; without this option, the command only says what it would drop')
    .action(async (name, text, { integer, yes }) => {
      const key = keyOf(text, integer);
      const collection = (await vectorClient(shell)).collection(name);
      const points = await collection.count({ shard_key: key }, { signal: shell.signal });
      if (yes !== true) {
        throw new CommandFailure('usage', `this would drop the shard key ${text} of ${name} with its ${count(points)} points`, {
          advice: 'Pass --yes to drop it.',
        });
      }
      await collection.deleteShardKey(key, { signal: shell.signal });
      shell.terminal.result(
        { collection: name, key, dropped: true },
        () => `Dropped the shard key ${text} of ${name} with its ${count(points)} points.`,
      );
    });
}

function keyOf(text: string, isInteger: boolean): ShardKey {
  if (!isInteger) return text;
  const key = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(key)) return key;
  throw new CommandFailure('usage', `${JSON.stringify(text)} is not an integer from 0 to ${Number.MAX_SAFE_INTEGER}`, {
    advice: 'Leave out --integer if the key is a string.',
  });
}
