// SPDX-License-Identifier: Apache-2.0
/**
 * Writes and takes in snapshots, beside the reads and writes of the collections: one at a time, because each reads or writes as much as the disk
 * gives. Whatever happens to one of them, what was there before stays as it was.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, type FileHandle, open, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSnapshotMember, ServiceError, type SnapshotDescription, type SnapshotManifest } from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import type { Log } from '../model/log.ts';
import type { ExpectedPart } from '../model/shards.ts';
import type { OperationRunner, Recovery } from '../model/write-operation.ts';
import type { Catalog } from '../writes/catalog.ts';
import type { ReceivedCollection } from '../writes/catalog-options.ts';
import { JobQueue } from '../writes/job-queue.ts';
import { createFullSnapshot } from './full-snapshot.ts';
import { type ImportSnapshot, importSnapshot } from './import-snapshot.ts';
import { importParts, type UnpackedSnapshot } from './imported-parts.ts';
import { type PackedCollection, packInDraft } from './packed-collection.ts';
import { type ArchiveMember, DATA, packArchive, unpackSnapshot, type WrittenMember } from './snapshot-archive.ts';
import { checksumOf, descriptionOf, PACKED_FILE, type SnapshotFolder } from './snapshot-folder.ts';
import { type MakeShardKey, recoverByWrites } from './written-recovery.ts';

export type SnapshotsOptions = {
  readonly catalog: Pick<
    Catalog,
    'hold' | 'requireKnown' | 'source' | 'names' | 'nameOf' | 'aliases' | 'restore' | 'receive' | 'refuseTaken' | 'recoveries'
  >;
  readonly folder: SnapshotFolder;
  /** Carries out what recovers by writes. */
  readonly runner: OperationRunner;
  /** Whether other nodes have to have what is recovered; then everything is recovered by writes. */
  readonly isReplicated?: boolean;
  /** What this node is called in its cluster. */
  readonly node?: string | undefined;
  /** Makes keys that divide the points of a collection, where there can be any. */
  readonly makeShardKey?: MakeShardKey | undefined;
  readonly counts: SnapshotCounts;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a recovery may take, from its file on. */
  readonly recoverySeconds?: number;
  /** In a process of its own where nothing else is said. */
  readonly importSnapshot?: ImportSnapshot | undefined;
};

const RECOVERY_SECONDS = 3600;
const KEYED = 'the points of this snapshot are divided by shard keys; recover it in a cluster whose nodes share SERVICE_CLUSTER_SECRET';

/** What runs at the moment, and what has ended since the start. */
export type SnapshotGauge = 'creating' | 'recovering' | 'created' | 'recovered' | 'failed';

/** Where that is counted. */
export type SnapshotCounts = { readonly add: (gauge: SnapshotGauge, count: number) => void };

export const countNothing: SnapshotCounts = { add: () => undefined };

/** A file to recover from, and what it must be. */
export type RecoverySource = {
  readonly path: string;
  /** SHA-256 of the file where it is known already. */
  readonly checksum?: string | undefined;
  /** What the caller expects it to be. */
  readonly expected?: string | undefined;
};

/** An archive, and what it must hold. */
export type PackedFile = {
  readonly path: string;
  readonly part: ExpectedPart;
  /** Ends it. */
  readonly signal: AbortSignal;
};

/** Jobs that wait; whoever comes then is asked to come again. */
const WAITING_MAX = 16;
const RETRY_SECONDS = 30;

export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #import: ImportSnapshot;
  readonly #closing = new AbortController();
  readonly #jobs = new JobQueue();
  #byWritesNow: string | undefined;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    this.#import = options.importSnapshot ?? importSnapshot;
  }

  async create(collection: string): Promise<SnapshotDescription> {
    const name = this.#options.catalog.nameOf(collection);
    this.#options.catalog.requireKnown(name);
    return this.#run('creating', { collection: name }, async () => {
      this.#options.catalog.recoveries.requireWhole(name);
      await using draft = this.#options.folder.openDraft();
      const packed = await this.#pack(name, draft.directory, join(draft.directory, 'snapshot.tar'));
      return descriptionOf(await this.#options.folder.publish({ kind: 'collection', name }, packed));
    });
  }

  /** One archive with a snapshot of each collection, none of which is in shards. */
  async createFull(): Promise<SnapshotDescription> {
    const { catalog, clock, folder } = this.#options;
    const pack = (collection: string) => this.#packInDraft(collection);
    return this.#run('creating', { collection: '(all)' }, () =>
      createFullSnapshot({ catalog, pack, folder, clock, signal: this.#closing.signal }),
    );
  }

  /**
   * Replaces a collection, or creates it, by what a snapshot holds. Everything is checked before anything is touched. A snapshot of a collection in shards, and
   * any snapshot in a cluster, becomes a new collection.
   * @throws ServiceError `snapshot_invalid`, `snapshot_no_room`, `memory_exhausted` or `collection_exists`; nothing has changed then
   */
  async recover(collection: string, source: RecoverySource): Promise<true> {
    const { catalog, clock, folder, log, runner, isReplicated = false, makeShardKey, recoverySeconds = RECOVERY_SECONDS } = this.#options;
    const name = catalog.nameOf(collection);
    // Before a long file is read for nothing.
    if (isReplicated) catalog.refuseTaken(collection);
    return this.#run<true>('recovering', { collection: name }, async () => {
      await this.#checkChecksum(source);
      const archive = { path: source.path, signal: timeoutAfter(clock, recoverySeconds) };
      await this.#unpacked(archive, async (unpacked) => {
        const { manifest, signal } = unpacked;
        if (manifest.format === 'sextant-keyed-snapshot' && makeShardKey === undefined) {
          throw new ServiceError('snapshot_invalid', { reason: KEYED });
        }
        if (isReplicated || manifest.format !== 'sextant-collection-snapshot') {
          catalog.refuseTaken(collection);
          const checkRoom = (bytes: number) => folder.checkRoom(bytes);
          const imported = await importParts(unpacked, { checkRoom, clock, log, importSnapshot: this.#import });
          await this.#byWrites((recovery) => recoverByWrites({ collection: name, imported, recovery, runner, makeShardKey, signal }));
        } else await catalog.restore(name, (target) => this.#fill(target, unpacked, 'whole'));
      });
      return true;
    });
  }

  /** Whether a recovery by writes is on its way here; one that is not any more has ended, or died with an earlier run. */
  isRecovering(id: string): boolean {
    return this.#byWritesNow === id;
  }

  /** A collection, or a part of one, as another node takes it in. Whoever takes it disposes of its draft. */
  async pack(collection: string): Promise<PackedCollection> {
    return this.#run('creating', { collection }, () => this.#packInDraft(collection));
  }

  /**
   * Takes in what another node has packed. Nobody reads it until it is served.
   * @throws ServiceError `snapshot_invalid`, `snapshot_no_room` or `memory_exhausted`; nothing has changed then
   */
  async receive(collection: string, source: PackedFile): Promise<ReceivedCollection> {
    return this.#run('recovering', { collection }, () =>
      this.#unpacked(source, (unpacked) =>
        this.#options.catalog.receive(collection, (target) => this.#fill(target, unpacked, source.part)),
      ),
    );
  }

  /** What runs is brought to its end where that takes a moment, and undone where not; what waits is refused. */
  async close(): Promise<void> {
    this.#closing.abort(new ServiceError('shutting_down'));
    await this.#jobs.idle();
  }

  /** One runs at a time. */
  async #byWrites(recover: (recovery: Recovery) => Promise<void>): Promise<void> {
    const { node } = this.#options;
    const id = randomUUID();
    this.#byWritesNow = id;
    try {
      await recover({ id, ...(node === undefined ? {} : { node }) });
    } finally {
      this.#byWritesNow = undefined;
    }
  }

  async #unpacked<Result>(
    { path, signal: ended }: Pick<PackedFile, 'path' | 'signal'>,
    take: (unpacked: UnpackedSnapshot) => Promise<Result>,
  ): Promise<Result> {
    const { folder } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, ended]);
    // The archive's members, and the same once more as a store.
    await folder.checkRoom(2 * (await stat(path)).size);
    await using draft = folder.openDraft();
    const { directory } = draft;
    const manifest = await unpackSnapshot(path, directory, (bytes) => {
      signal.throwIfAborted();
      return folder.checkRoom(bytes);
    });
    return await take({ directory, manifest, signal });
  }

  /** Puts the checked store of a snapshot in one piece into a directory, and its graphs. */
  async #fill(target: string, { directory, manifest: { members }, signal }: UnpackedSnapshot, part: ExpectedPart): Promise<void> {
    const { clock, log } = this.#options;
    await this.#import({ file: join(directory, DATA), directory: target, part }, { clock, log, signal });
    for (const { name: member } of members) if (member !== DATA) await moveFile(join(directory, member), join(target, member));
  }

  #packInDraft(collection: string): Promise<PackedCollection> {
    return packInDraft(this.#options.folder, (directory) => this.#pack(collection, directory, join(directory, PACKED_FILE)));
  }

  async #checkChecksum({ path, checksum, expected }: RecoverySource): Promise<void> {
    if (expected === undefined) return;
    const actual = checksum ?? (await checksumOf(path));
    if (actual === expected.toLowerCase()) return;
    throw new ServiceError('snapshot_invalid', { reason: `checksum: expected ${expected.toLowerCase()}, but the file has ${actual}` });
  }

  /** Graphs first: those that are older than the data are brought level when they are loaded, newer ones could not be. */
  async #pack(collection: string, directory: string, file: string) {
    const { catalog, clock, folder } = this.#options;
    const release = await catalog.hold(collection);
    using _held = { [Symbol.dispose]: release };
    const source = catalog.source(collection);
    await using files = new OpenFiles();
    const members: ArchiveMember[] = [];
    for (const name of (await readdir(source.directory)).filter((each) => each !== DATA && isSnapshotMember(each))) {
      const member = await files.open(name, join(source.directory, name));
      if (member !== undefined) members.push(member);
    }
    const graphBytes = members.reduce((sum, { bytes }) => sum + bytes, 0);
    const { size } = await stat(join(source.directory, DATA));
    await folder.checkRoom(2 * size + graphBytes);
    const copy = join(directory, 'copy.mdb');
    await source.copy(copy);
    const data = await files.open(DATA, copy);
    if (data === undefined) throw new Error('the copy of the data no longer exists');
    this.#closing.signal.throwIfAborted();
    const manifest = (written: readonly WrittenMember[]): SnapshotManifest => ({
      format: 'sextant-collection-snapshot',
      version: 2,
      collection,
      members: written,
    });
    const { bytes, sha256 } = await packArchive(file, [data, ...members], {
      mtime: new Date(clock.nowMs()),
      signal: this.#closing.signal,
      manifest,
    });
    return { file, bytes, checksum: sha256 };
  }

  /** One after the other, reported to the log and to the metrics. */
  async #run<Result>(
    gauge: 'creating' | 'recovering',
    details: { readonly collection: string },
    job: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#jobs.length >= WAITING_MAX) throw new ServiceError('snapshots_busy', { seconds: RETRY_SECONDS });
    const { clock, counts, log } = this.#options;
    return this.#jobs.run(async () => {
      this.#closing.signal.throwIfAborted();
      const startMs = clock.monotonicMs();
      counts.add(gauge, 1);
      log.info(details, gauge === 'creating' ? 'writing a snapshot' : 'recovering from a snapshot');
      try {
        const result = await job();
        counts.add(gauge === 'creating' ? 'created' : 'recovered', 1);
        const ms = Math.round(clock.monotonicMs() - startMs);
        log.info({ ...details, ms }, gauge === 'creating' ? 'snapshot written' : 'recovered from a snapshot');
        return result;
      } catch (error) {
        counts.add('failed', 1);
        throw error;
      } finally {
        counts.add(gauge, -1);
      }
    });
  }
}

/** Aborts with the error for the caller. */
function timeoutAfter(clock: Clock, seconds: number): AbortSignal {
  const controller = new AbortController();
  const reason = `it took longer than ${seconds} s (SERVICE_RECOVERY_SECONDS)`;
  clock.after(seconds * 1000, () => controller.abort(new ServiceError('snapshot_invalid', { reason }))).unref();
  return controller.signal;
}

/** Files that are read while others may replace them. */
class OpenFiles implements AsyncDisposable {
  readonly #files: FileHandle[] = [];

  /** Undefined for one that has just gone. */
  async open(name: string, path: string): Promise<ArchiveMember | undefined> {
    try {
      const file = await open(path, 'r');
      this.#files.push(file);
      return { name, file, bytes: (await file.stat()).size };
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const file of this.#files) await file.close();
  }
}

/** The folders may be on two disks. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    await copyFile(from, to);
    const copy = await open(to, 'r+');
    try {
      await copy.sync();
    } finally {
      await copy.close();
    }
  }
}
