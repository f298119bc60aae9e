// SPDX-License-Identifier: Apache-2.0
/**
 * Backups in an object store. Each file of a backup is parts of 16 MB, `<backup>/<file>/000000` and so on; its manifest comes last. A backup whose manifest is there is whole.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createOutboundGuard } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import {
  type BoundStore,
  inParts,
  openObjectStore,
  partKey,
  readParts,
  SourceError,
  type StoredObject,
  type StoreLocation,
} from '@sextant/observability-connectors/object-stores';
import { CommandFailure } from '../failure.ts';
import { BACKUP_NAME, DRAFT_KEPT_MS, MANIFEST } from './backup-set.ts';

const PART_BYTES = 16 * 1024 ** 2;
const PART = /^(?<file>[a-z0-9-]+(?:\.[a-z]+)*)\/(?<part>\d{6})$/;

export type ObjectFolder = Disposable & {
  /** Names of the backups that are whole, the oldest first. */
  readonly names: () => Promise<readonly string[]>;
  /** Uploads the backup in a folder; what was uploaded of one that fails is removed. */
  readonly put: (name: string, folder: string, onBytes: (bytes: number) => void) => Promise<void>;
  /** Downloads the manifest of a backup into a folder, or all of it. */
  readonly fetch: (name: string, folder: string, what: 'manifest' | 'all') => Promise<void>;
  /** Deletes the oldest backups beyond `keep`, and what is left of uploads that nobody goes on with; says which backups went. */
  readonly removeOld: (keep: number, nowMs: number) => Promise<readonly string[]>;
};

export async function openObjectFolder(
  { address, prefix, shown }: StoreLocation,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ObjectFolder> {
  // The person at the terminal says where the store is.
  const guard = createOutboundGuard({ allowPrivateNetworks: true });
  const explained = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof SourceError)) throw cause;
      throw new CommandFailure('bad_data', `the backups at ${shown} cannot be reached: ${cause.message}`, { cause });
    }
  };
  const store = await explained(() => openObjectStore(address, guard, clock));
  const at = (name: string) => `${prefix}${name}/`;
  /** By the names of backups. */
  const stored = async (name = ''): Promise<ReadonlyMap<string, readonly StoredObject[]>> => {
    const found: (StoredObject & { readonly set: string })[] = [];
    for await (const page of store.list(prefix + name, signal)) {
      for (const each of page) {
        const [set = ''] = each.key.slice(prefix.length).split('/');
        if (BACKUP_NAME.test(set)) found.push({ ...each, set });
      }
    }
    return Map.groupBy(found, ({ set }) => set);
  };
  const isWhole = (name: string, parts: readonly StoredObject[]) => parts.some(({ key }) => key === at(name) + MANIFEST);
  const remove = async (name: string, parts: readonly StoredObject[]) => {
    // Without its manifest it is no backup any more.
    if (isWhole(name, parts)) await store.remove(at(name) + MANIFEST, signal);
    for (const { key } of parts) if (key !== at(name) + MANIFEST) await store.remove(key, signal);
  };
  return {
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
      guard.close();
    },
    names: () =>
      explained(async () => {
        const sets = [...(await stored())].filter(([name, parts]) => isWhole(name, parts));
        return sets.map(([name]) => name).toSorted();
      }),
    put: (name, folder, onBytes) =>
      explained(async () => {
        try {
          for (const file of await readdir(folder)) {
            if (file !== MANIFEST) await putFile(store, { key: `${at(name)}${file}/`, path: join(folder, file) }, { signal, onBytes });
          }
          await store.write(at(name) + MANIFEST, await readFile(join(folder, MANIFEST)), signal);
        } catch (error) {
          if (!signal.aborted) await stored(name).then((sets) => remove(name, sets.get(name) ?? []));
          throw error;
        }
      }),
    fetch: (name, folder, what) =>
      explained(async () => {
        const parts = (await stored(name)).get(name) ?? [];
        if (!isWhole(name, parts)) {
          throw new CommandFailure('not_found', `there is no backup ${name} at ${shown}`, {
            advice: '`sextant backup sets` lists the existing backups.',
          });
        }
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const manifest = parts.filter(({ key }) => key === at(name) + MANIFEST);
        await fetchFile(store, manifest, join(folder, MANIFEST), signal);
        if (what === 'manifest') return;
        const files = Map.groupBy(parts, ({ key }) => PART.exec(key.slice(at(name).length))?.groups?.file);
        for (const [file, own] of files) if (file !== undefined) await fetchFile(store, own, join(folder, file), signal);
      }),
    removeOld: (keep, nowMs) =>
      explained(async () => {
        const sets = await stored();
        const whole = [...sets].filter(([name, parts]) => isWhole(name, parts)).map(([name]) => name);
        const old = whole.toSorted().slice(0, Math.max(0, whole.length - keep));
        const isLeft = (name: string, parts: readonly StoredObject[]) =>
          !isWhole(name, parts) && parts.every(({ modifiedAt }) => modifiedAt !== null && nowMs - modifiedAt.getTime() > DRAFT_KEPT_MS);
        for (const [name, parts] of sets) if (old.includes(name) || isLeft(name, parts)) await remove(name, parts);
        return old;
      }),
  };
}

async function putFile(
  store: BoundStore,
  { key, path }: { readonly key: string; readonly path: string },
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<void> {
  const { size } = await stat(path);
  let part = 0;
  let sent = 0;
  for await (const bytes of inParts(createReadStream(path, { highWaterMark: PART_BYTES }), PART_BYTES)) {
    await store.write(partKey(key, part++), bytes, signal);
    sent += bytes.length;
    onBytes(bytes.length);
  }
  if (sent !== size) throw new CommandFailure('bad_data', `${path} changed while it was read: it had ${size} bytes, and ${sent} were read`);
}

/** What is cut or exchanged is found out by the checksums of the manifest. */
async function fetchFile(store: BoundStore, parts: readonly StoredObject[], path: string, signal: AbortSignal): Promise<void> {
  await pipeline(readParts(store, parts, signal), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
}
