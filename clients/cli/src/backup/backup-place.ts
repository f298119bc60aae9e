// SPDX-License-Identifier: Apache-2.0
/** Where backups are: a folder, or an object store of which a folder for a while shows what a command needs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { STORE_FORMS, type StoreLocation, StoreLocationError, storeLocation } from '@sextant/observability-connectors/store-location';
import { CommandFailure } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { removeOld } from './backup-set.ts';

export type BackupPlace = AsyncDisposable & {
  /** Of backups, on this machine. */
  readonly folder: string;
  /** Brings a backup that was written to the folder where it belongs. */
  readonly publish: (name: string, onBytes: (bytes: number) => void) => Promise<void>;
  /** Deletes the oldest beyond `keep`; says which went. */
  readonly removeOld: (keep: number) => Promise<readonly string[]>;
};

export type PlaceOptions = {
  /** `nothing` to write there, the manifests to list them, `backup` for one with all its files. */
  readonly needs: 'nothing' | 'manifests' | { readonly backup: string | undefined };
  /** Where the folder for a while is made. */
  readonly scratch: string | undefined;
};

export async function openBackupPlace(place: string, { needs, scratch }: PlaceOptions, shell: Shell): Promise<BackupPlace> {
  const { clock, environment, signal } = shell;
  const location = await locationOf(place, environment);
  if (location === undefined) {
    const folder = resolve(place);
    return {
      folder,
      publish: async () => undefined,
      removeOld: (keep) => removeOld(folder, keep, clock.nowMs()),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  // It loads what most backups do without.
  const { openObjectFolder } = await import('./object-folder.ts');
  await using opening = new AsyncDisposableStack();
  const store = opening.use(await openObjectFolder(location, { clock, signal }));
  const folder = await mkdtemp(join(scratch === undefined ? tmpdir() : resolve(scratch), 'sextant-backup-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  if (needs === 'manifests') for (const name of await store.names()) await store.fetch(name, join(folder, name), 'manifest');
  if (typeof needs === 'object') {
    const name = needs.backup ?? (await store.names()).at(-1);
    if (name !== undefined) await store.fetch(name, join(folder, name), 'all');
  }
  const parts = opening.move();
  return {
    folder,
    publish: (name, onBytes) => store.put(name, join(folder, name), onBytes),
    removeOld: (keep) => store.removeOld(keep, clock.nowMs()),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Undefined for a folder of this machine. */
async function locationOf(place: string, environment: Shell['environment']): Promise<StoreLocation | undefined> {
  try {
    const location = await storeLocation(place, environment);
    if (location !== undefined || !/^[a-z][a-z0-9+.-]+:\/\//i.test(place)) return location;
  } catch (cause) {
    if (!(cause instanceof StoreLocationError)) throw cause;
    throw new CommandFailure('usage', `the place of the backups is not valid: ${cause.message}`, { advice: cause.advice, cause });
  }
  throw new CommandFailure('usage', `${place} is not a valid place for backups`, { advice: `Name a folder, ${STORE_FORMS}.` });
}
