// SPDX-License-Identifier: Apache-2.0
/** Shows that a backup can be restored, by restoring it: into a folder and a service of its own, which are gone afterwards. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandFailure, sentenceOf } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { type BackupSet, fetchFile, type Manifest } from './backup-set.ts';
import { METADATA, rowsOf } from './observability-files.ts';
import { type ScratchKind, type ScratchService, startScratchService } from './scratch-service.ts';
import { isOfShardKeys, uploadSnapshot } from './snapshot-files.ts';

export type Verdict = {
  readonly what: string;
  readonly bytes: number;
  /** Points of a collection, rows of the metadata. */
  readonly records: number | null;
  /** Undefined of what is good. */
  readonly fault: string | undefined;
};

type Verification = {
  readonly set: BackupSet;
  readonly key: Buffer | undefined;
  /** Where there is room for the largest collection twice; the system's folder for temporary files unless somebody knows better. */
  readonly scratch: string | undefined;
  readonly onProgress: (what: string) => void;
};

export async function verifyBackup(shell: Shell, verification: Verification): Promise<readonly Verdict[]> {
  const { set, scratch } = verification;
  const folder = await mkdtemp(join(scratch ?? tmpdir(), 'sextant-verify-'));
  try {
    const verdicts: Verdict[] = [];
    await using services = scratchServices(shell, folder);
    for (const collection of set.manifest.collections)
      verdicts.push(await collectionVerdict(shell, verification, collection, { service: services.of, folder }));
    return [...verdicts, ...(await observabilityVerdicts(shell, verification, folder))];
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Scratch = { readonly service: (kind: ScratchKind) => Promise<ScratchService>; readonly folder: string };

/** Each starts when the first snapshot takes it. */
function scratchServices(shell: Shell, folder: string): AsyncDisposable & { readonly of: Scratch['service'] } {
  const started = new AsyncDisposableStack();
  const services = new Map<ScratchKind, Promise<ScratchService>>();
  const start = async (kind: ScratchKind) => started.use(await startScratchService(shell, join(folder, kind), kind));
  return {
    of: (kind) => {
      const service = services.get(kind) ?? start(kind);
      services.set(kind, service);
      return service;
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

async function collectionVerdict(
  { signal }: Shell,
  { set, key, onProgress }: Verification,
  collection: Manifest['collections'][number],
  { service: serviceOf, folder }: Scratch,
): Promise<Verdict> {
  const { name, bytes, points } = collection;
  onProgress(name);
  const file = join(folder, 'restored.snapshot');
  let records: number | null = null;
  const fault = await faultOf(async () => {
    await fetchFile(set, collection, file, { key, signal });
    const service = await serviceOf((await isOfShardKeys(file)) ? 'cluster' : 'alone');
    await uploadSnapshot(file, { address: { url: service.url, apiKey: undefined }, collection: name, signal });
    records = (await service.client.collection(name).info({ signal })).points_count;
    const [least, most] = [Math.min(points.before, points.after), Math.max(points.before, points.after)];
    if (records < least || records > most)
      throw new CommandFailure(
        'bad_data',
        `${records} points were restored, and ${least === most ? least : `${least} to ${most}`} were there`,
      );
    await service.client.deleteCollection(name, { signal });
  });
  await rm(file, { force: true });
  signal.throwIfAborted();
  return { what: name, bytes, records, fault };
}

async function observabilityVerdicts(
  { signal }: Shell,
  { set, key, onProgress }: Verification,
  folder: string,
): Promise<readonly Verdict[]> {
  const { observability } = set.manifest;
  const verdicts: Verdict[] = [];
  await mkdir(join(folder, 'observability'));
  for (const stored of observability?.files ?? []) {
    const what = stored.path.join('/');
    onProgress(what);
    const file = join(folder, 'observability', 'restored');
    let records: number | null = null;
    const fault = await faultOf(async () => {
      await fetchFile(set, stored, file, { key, signal });
      if (what !== METADATA) return;
      const restored = rowsOf(file);
      records = Object.values(restored).reduce((sum, rows) => sum + rows, 0);
      const differing = Object.entries(observability?.rows ?? {}).find(([table, rows]) => restored[table] !== rows);
      if (differing !== undefined)
        throw new CommandFailure('bad_data', `table ${differing[0]} has ${restored[differing[0]]} rows, and ${differing[1]} were there`);
    });
    for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
    signal.throwIfAborted();
    verdicts.push({ what, bytes: stored.bytes, records, fault });
  }
  return verdicts;
}

async function faultOf(trial: () => Promise<void>): Promise<string | undefined> {
  try {
    await trial();
    return undefined;
  } catch (error) {
    return sentenceOf(error);
  }
}
