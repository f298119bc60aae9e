// SPDX-License-Identifier: Apache-2.0
/** `sextant backup` and `sextant restore`: a collection as one file, with its graphs. */
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { SnapshotDescription } from '@sextant/sdk';
import { vectorClient } from '../connection/clients.ts';
import { readSettings } from '../connection/settings.ts';
import { CommandFailure } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { count } from '../terminal/figures.ts';
import { restoreAllCommand, runCommand, setsCommand, verifyCommand } from './backup-sets.ts';

/** A snapshot takes as long as its collection is large. */
const PATIENT = { timeoutMs: 0 };

export function backupCommand(shell: Shell): CommandUnknownOpts {
  const { terminal, signal } = shell;
  return new Command('backup')
    .summary('back up everything, verify and restore backups; snapshots of a collection')
    .description(
      'Manages backups of all collections and of the observability service, and snapshots of one collection. The service needs the capability `snapshots`.',
    )
    .addCommand(
      new Command('create')
        .description(
          'Writes a snapshot while the collection is read and written. With a file, the snapshot is downloaded to it, checked, and deleted from the service.',
        )
        .argument('<collection>', 'its name')
        .argument('[file]', 'file to download the snapshot to; without it, the snapshot stays on the service')
        .option('--keep', 'also keep the snapshot on the service')
        .action(async (collection, file, { keep }) => {
          const client = await vectorClient(shell);
          const params = { collection_name: collection };
          const snapshot = await client.call('create_snapshot', { params }, { ...PATIENT, signal });
          // The answer is null only where the caller does not wait.
          if (snapshot === null) throw new CommandFailure('failed', 'the service did not name the snapshot that it wrote');
          if (file !== undefined) {
            await download(shell, collection, snapshot, file);
            if (keep !== true) await client.call('delete_snapshot', { params: { ...params, snapshot_name: snapshot.name } }, { signal });
          }
          terminal.result(
            { ...snapshot, file: file ?? null },
            () => `Wrote ${count(snapshot.size)} bytes of ${collection} as ${file ?? snapshot.name}.`,
          );
        }),
    )
    .addCommand(
      new Command('list')
        .description('Lists the snapshots that the service keeps of a collection.')
        .argument('<collection>', 'its name')
        .action(async (collection) => {
          const client = await vectorClient(shell);
          const snapshots = await client.call('list_snapshots', { params: { collection_name: collection } }, { signal });
          terminal.result(snapshots, () =>
            terminal.table(
              ['name', 'created', { title: 'bytes', align: 'right' }],
              snapshots.map(({ name, creation_time: created, size }) => [name, created, count(size)]),
            ),
          );
        }),
    )
    .addCommand(
      new Command('delete')
        .description('Deletes a snapshot that the service keeps.')
        .argument('<collection>', 'its name')
        .argument('<snapshot>', 'name of the snapshot, as listed')
        .action(async (collection, snapshot) => {
          const client = await vectorClient(shell);
          await client.call('delete_snapshot', { params: { collection_name: collection, snapshot_name: snapshot } }, { signal });
          terminal.result({ snapshot, deleted: true }, () => `Deleted the snapshot ${snapshot}.`);
        }),
    )
    .addCommand(runCommand(shell))
    .addCommand(setsCommand(shell))
    .addCommand(verifyCommand(shell))
    .addCommand(restoreAllCommand(shell));
}

async function download(shell: Shell, collection: string, snapshot: SnapshotDescription, file: string): Promise<void> {
  const { downloadSnapshot } = await import('../backup/snapshot-files.ts');
  const { vector } = await readSettings(shell.flags(), shell.environment, () => {});
  const progress = shell.terminal.progress({ label: file, unit: 'bytes' });
  try {
    await downloadSnapshot(snapshot, file, { address: vector, collection, signal: shell.signal }, (bytes) =>
      progress.show({ done: bytes, share: snapshot.size === 0 ? 1 : bytes / snapshot.size }),
    );
  } finally {
    progress.end();
  }
}

export function restoreCommand(shell: Shell): CommandUnknownOpts {
  const { terminal, signal } = shell;
  return new Command('restore')
    .summary('restore a collection from a snapshot')
    .description(
      'Creates or replaces a collection from a snapshot after the service has checked all of it. The service needs the capability `recovery`.',
    )
    .argument('<collection>', 'name of the collection; it may differ from the name in the snapshot')
    .option('--file <file>', 'a file that `sextant backup create` wrote')
    .option('--snapshot <name>', 'a snapshot that the service keeps of this collection')
    .option('--yes', 'replace an existing collection')
    .action(async (collection, { file, snapshot, yes }) => {
      if ((file === undefined) === (snapshot === undefined)) {
        throw new CommandFailure('usage', 'pass either --file or --snapshot');
      }
      const client = await vectorClient(shell);
      if (yes !== true && (await client.collectionExists(collection, { signal }))) {
        const { points_count: points } = await client.getCollection(collection, { signal });
        throw new CommandFailure('usage', `this would replace ${collection} with its ${count(points)} points`, {
          advice: 'Pass --yes to replace it.',
        });
      }
      if (snapshot !== undefined) {
        await client.call(
          'recover_named_snapshot',
          { params: { collection_name: collection, snapshot_name: snapshot } },
          { ...PATIENT, signal },
        );
      } else if (file !== undefined) {
        const { uploadSnapshot } = await import('../backup/snapshot-files.ts');
        const { vector } = await readSettings(shell.flags(), shell.environment, () => {});
        await uploadSnapshot(file, { address: vector, collection, signal });
      }
      const { points_count: points } = await client.getCollection(collection, { signal });
      terminal.result({ collection, restored: true, points_count: points }, () => `Restored ${collection} with ${count(points)} points.`);
    });
}
