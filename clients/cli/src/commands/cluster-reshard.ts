// SPDX-License-Identifier: Apache-2.0
/** `sextant cluster reshard`: the shards of a collection, or of a key, become twice as many, and the command waits for it. */
import { Command } from '@commander-js/extra-typings';
import { pause } from '@sextant/foundation-std';
import type { CollectionClusterInfo, VectorClient } from '@sextant/sdk';
import { vectorClient } from '../connection/clients.ts';
import { CommandFailure } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { copiesIn } from './cluster-shards.ts';

type Key = string | number | undefined;

const LOOK_MS = 500;

export function reshardCommand(shell: Shell) {
  return new Command('reshard')
    .description('Splits each shard of a collection in two while the collection is in use, and waits until the new shards have taken over.')
    .argument('<collection>', 'its name')
    .option('--key <key>', 'shard key whose shards are split, for a collection with shard keys')
    .option('--abort', 'abort resharding; the shards stay as they are', false)
    .option('--no-wait', 'return once resharding has started')
    .action(async (collection, { key: named, abort, wait }) => {
      const client = await vectorClient(shell);
      const api = client.collection(collection);
      if (abort) {
        await api.updateCluster({ abort_resharding: {} }, { signal: shell.signal });
        shell.terminal.result({ collection, done: 'aborted' }, () => `Aborted resharding. The shards of ${collection} stay as they are.`);
        return;
      }
      const before = await api.cluster({ signal: shell.signal });
      const key = keyIn(before, named);
      const shards = 2 * numbersOf(before, key).length;
      const start = { direction: 'up' as const, ...(key === undefined ? {} : { shard_key: key }) };
      await api.updateCluster({ start_resharding: start }, { signal: shell.signal });
      if (wait) await takenOver(client, { collection, key, shards }, shell);
      shell.terminal.result({ collection, ...(key === undefined ? {} : { key }), shards, done: wait ? 'divided' : 'begun' }, () =>
        wait ? `${collection} has ${shards} shards${under(key)} now.` : `${shards} shards of ${collection}${under(key)} are being created.`,
      );
    });
}

/** As the collection has it: a key of digits may be a string or an integer. */
function keyIn(info: CollectionClusterInfo, named: string | undefined): Key {
  if (named === undefined) return undefined;
  const keys = copiesIn(info).map(({ shard_key: key }) => key);
  return keys.find((key) => key === named) ?? keys.find((key) => String(key) === named) ?? named;
}

function numbersOf(info: CollectionClusterInfo, key: Key): readonly number[] {
  const copies = copiesIn(info).filter((each) => each.shard_key === key);
  return [...new Set(copies.map(({ shard_id: shard }) => shard))];
}

type Wanted = { readonly collection: string; readonly key: Key; readonly shards: number };

/** Ctrl-C ends the wait; the shards go on. */
async function takenOver(client: VectorClient, { collection, key, shards }: Wanted, { signal, clock, terminal }: Shell): Promise<void> {
  let said = '';
  for (;;) {
    const info = await client.collection(collection).cluster({ signal });
    const running = info.resharding_operations;
    if (running.length === 0) {
      if (numbersOf(info, key).length === shards) return;
      throw new CommandFailure('failed', `resharding of ${collection} was aborted`);
    }
    const [next] = running.filter(({ comment }) => !comment.startsWith('complete'));
    const text = next === undefined ? 'all copies are complete' : `shard ${next.shard_id}: ${next.comment}`;
    if (text !== said) terminal.note(text);
    said = text;
    await pause(clock, LOOK_MS);
    signal.throwIfAborted();
  }
}

function under(key: Key): string {
  return key === undefined ? '' : ` under the key ${key}`;
}
