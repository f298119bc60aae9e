// SPDX-License-Identifier: Apache-2.0
/** `sextant backup run`, `sets`, `verify` and `restore`: everything that the services keep, in a folder of backups. */
import { resolve } from 'node:path';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { BackupSet } from '../backup/backup-set.ts';
import { vectorClient } from '../connection/clients.ts';
import { readSettings } from '../connection/settings.ts';
import { CommandFailure } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { count } from '../terminal/figures.ts';
import { list, wholeNumber } from './option-values.ts';

const KEY_FILE = 'file with the key (32 bytes or 64 hexadecimal digits) that only its owner can read';
const PLACE = 'where the backups are: a folder, s3://bucket/prefix, gs://bucket/prefix or azure://account/container/prefix';
const SCRATCH = 'folder for intermediate files if the backup is in an object store (default: the folder for temporary files)';
const NO_KEEPING = 100_000;

export function runCommand(shell: Shell): CommandUnknownOpts {
  const { terminal, signal, clock } = shell;
  return new Command('run')
    .description(
      'Writes a backup of all collections, their aliases and, with --observability-dir, the data of the observability service, while both run. ' +
        'A backup is a folder that is either complete or absent. Backups do not contain the tokens and the admin of the vector service.',
    )
    .argument('<place>', PLACE)
    .option('--observability-dir <folder>', 'data directory of the observability service, on this machine')
    .option('--key-file <file>', `encrypts the backup (AES-256-GCM); ${KEY_FILE}`)
    .option(
      '--keep <n>',
      'how many backups to keep; the oldest are deleted once the new backup is complete',
      wholeNumber({ min: 1, max: NO_KEEPING }),
    )
    .option('--scratch <folder>', SCRATCH)
    .action(async (place, { observabilityDir, keyFile, keep, scratch }) => {
      const { writeBackup } = await import('../backup/write-backup.ts');
      const { openBackupPlace } = await import('../backup/backup-place.ts');
      const client = await vectorClient(shell);
      const { vector: address } = await readSettings(shell.flags(), shell.environment, () => {});
      const progress = terminal.progress({ label: 'backup', unit: 'bytes' });
      try {
        await using backups = await openBackupPlace(place, { needs: 'nothing', scratch }, shell);
        const { name, manifest } = await writeBackup({
          folder: backups.folder,
          key: await keyOf(keyFile),
          client,
          address,
          observabilityDirectory: observabilityDir === undefined ? undefined : resolve(observabilityDir),
          time: new Date(clock.nowMs()),
          signal,
          onProgress: (_file, bytes) => progress.show({ done: bytes, share: undefined }),
        });
        let sent = 0;
        await backups.publish(name, (bytes) => {
          sent += bytes;
          progress.show({ done: sent, share: undefined });
        });
        const removed = keep === undefined ? [] : await backups.removeOld(keep);
        progress.end();
        const files = [...manifest.collections, ...(manifest.observability?.files ?? [])];
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        const answer = { backup: name, collections: manifest.collections.length, files: files.length, bytes, removed };
        terminal.result(answer, () => {
          const gone = removed.length === 0 ? '' : ` Deleted ${count(removed.length)} older.`;
          return `Wrote the backup ${name}: ${count(manifest.collections.length)} collections, ${count(bytes)} bytes.${gone}`;
        });
      } finally {
        progress.end();
      }
    });
}

export function setsCommand(shell: Shell): CommandUnknownOpts {
  const { terminal } = shell;
  return new Command('sets')
    .description('Lists the backups in a folder, the oldest first.')
    .argument('<place>', PLACE)
    .option('--key-file <file>', KEY_FILE)
    .action(async (place, { keyFile }) => {
      const { backupNames, readBackup } = await import('../backup/backup-set.ts');
      const { openBackupPlace } = await import('../backup/backup-place.ts');
      const key = await keyOf(keyFile);
      await using backups = await openBackupPlace(place, { needs: 'manifests', scratch: undefined }, shell);
      const { folder } = backups;
      const rows = await Promise.all(
        (await backupNames(folder)).map((name) => readBackup(folder, name, key).then(rowOf, (error: unknown) => faultRow(name, error))),
      );
      terminal.result(rows, () =>
        terminal.table(
          [
            'backup',
            { title: 'collections', align: 'right' },
            { title: 'bytes', align: 'right' },
            'observability',
            'encrypted',
            'release',
            'fault',
          ],
          rows.map((row) =>
            'fault' in row
              ? [row.backup, '', '', '', '', '', row.fault]
              : [
                  row.backup,
                  count(row.collections),
                  count(row.bytes),
                  row.observability ? 'yes' : 'no',
                  row.encrypted ? 'yes' : 'no',
                  row.release,
                  '',
                ],
          ),
        ),
      );
      const faults = rows.filter((row) => 'fault' in row);
      if (faults.length > 0) throw new CommandFailure('bad_data', `${faults.length} of ${rows.length} backups in ${place} cannot be read`);
    });
}

function rowOf({ name, manifest: { collections, observability, isEncrypted, release } }: BackupSet) {
  return {
    backup: name,
    collections: collections.length,
    bytes: [...collections, ...(observability?.files ?? [])].reduce((sum, { bytes }) => sum + bytes, 0),
    observability: observability !== null,
    encrypted: isEncrypted,
    release,
  };
}

/** One that is damaged must not hide the others. */
function faultRow(name: string, error: unknown) {
  if (error instanceof CommandFailure) return { backup: name, fault: error.message };
  throw error;
}

export function verifyCommand(shell: Shell): CommandUnknownOpts {
  const { terminal } = shell;
  return new Command('verify')
    .description(
      'Restores a backup into a temporary folder and service, compares checksums and counts, and removes both. Running services are not changed. ' +
        'Needs the services installed beside the command line, and disk space for twice the largest collection.',
    )
    .argument('<place>', PLACE)
    .argument('[backup]', 'name of the backup (default: the newest)')
    .option('--key-file <file>', KEY_FILE)
    .option('--scratch <folder>', 'where to restore; without, the folder for temporary files')
    .action(async (place, name, { keyFile, scratch }) => {
      const { readBackup } = await import('../backup/backup-set.ts');
      const { openBackupPlace } = await import('../backup/backup-place.ts');
      const { verifyBackup } = await import('../backup/verify-backup.ts');
      const key = await keyOf(keyFile);
      await using backups = await openBackupPlace(place, { needs: { backup: name }, scratch }, shell);
      const set = await readBackup(backups.folder, name, key);
      const progress = terminal.progress({ label: 'verify', unit: 'files' });
      let done = 0;
      const verdicts = await verifyBackup(shell, {
        set,
        key,
        scratch,
        onProgress: () => progress.show({ done: done++, share: undefined }),
      }).finally(() => progress.end());
      const faults = verdicts.filter(({ fault }) => fault !== undefined);
      terminal.result({ backup: set.name, verdicts }, () =>
        terminal.table(
          ['what', { title: 'bytes', align: 'right' }, { title: 'points or rows', align: 'right' }, 'restored'],
          verdicts.map(({ what, bytes, records, fault }) => [what, count(bytes), records === null ? '' : count(records), fault ?? 'yes']),
        ),
      );
      if (faults.length > 0) {
        throw new CommandFailure(
          'below_expectation',
          `${faults.length} of ${verdicts.length} parts of the backup ${set.name} cannot be restored`,
          {
            advice: 'Verify an older backup, and create a new one.',
          },
        );
      }
    });
}

export function restoreAllCommand(shell: Shell): CommandUnknownOpts {
  const { terminal, signal } = shell;
  return new Command('restore')
    .description(
      'Restores the collections of a backup into the running vector service, which needs the capability `recovery`. With --observability-dir, restores ' +
        'the data of the observability service instead, which must not run during the restore.',
    )
    .argument('<place>', PLACE)
    .argument('[backup]', 'name of the backup (default: the newest)')
    .option('--key-file <file>', KEY_FILE)
    .option('--collections <names>', 'only these collections, separated by commas', list)
    .option('--observability-dir <folder>', 'data directory of the observability service, on this machine')
    .option('--yes', 'replace existing data')
    .option('--scratch <folder>', SCRATCH)
    .action(async (place, name, { keyFile, collections: only, observabilityDir, yes, scratch }) => {
      const { readBackup } = await import('../backup/backup-set.ts');
      const { openBackupPlace } = await import('../backup/backup-place.ts');
      const { restoreCollections, restoreObservability } = await import('../backup/restore-backup.ts');
      const key = await keyOf(keyFile);
      await using backups = await openBackupPlace(place, { needs: { backup: name }, scratch }, shell);
      const set = await readBackup(backups.folder, name, key);
      const progress = terminal.progress({ label: 'restore', unit: 'files' });
      let done = 0;
      const restoration = {
        set,
        key,
        isReplacing: yes === true,
        signal,
        onProgress: () => progress.show({ done: done++, share: undefined }),
      };
      try {
        if (observabilityDir !== undefined) {
          const files = await restoreObservability(restoration, resolve(observabilityDir));
          progress.end();
          terminal.result(
            { backup: set.name, files },
            () => `Restored ${count(files)} files of the backup ${set.name}. You can start the service now.`,
          );
          return;
        }
        const client = await vectorClient(shell);
        const { vector: address } = await readSettings(shell.flags(), shell.environment, () => {});
        const restored = await restoreCollections(restoration, { client, address, only });
        progress.end();
        terminal.result({ backup: set.name, collections: restored }, () =>
          terminal.table(
            ['collection', { title: 'points', align: 'right' }],
            restored.map((each) => [each.name, count(each.points)]),
          ),
        );
      } finally {
        progress.end();
      }
    });
}

/** Loaded when there is one: most backups of a trial have none. */
async function keyOf(file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  const { readKey } = await import('../backup/sealed-bytes.ts');
  return readKey(file);
}
