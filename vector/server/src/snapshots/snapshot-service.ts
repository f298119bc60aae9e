// SPDX-License-Identifier: Apache-2.0
/** Snapshots as callers ask for them: now or later, and from wherever a snapshot is to come. Runs on the writer. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceError, type SnapshotDescription } from '@sextant/contracts-vector';
import {
  type OutboundGuard,
  OutboundRefusedError,
  OutboundRequestError,
  type OutboundStream,
  receiveOutbound,
} from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { type SnapshotFolder, type SnapshotReads, type SnapshotWrites, writeStream } from '@sextant/vector-collection';
import type { FailureLog } from '../failure-log.ts';
import { ACCEPTED, type Accepted, orLater } from './or-later.ts';

export type SnapshotServiceOptions = {
  readonly engine: SnapshotReads & SnapshotWrites;
  readonly folder: SnapshotFolder;
  /** What connections that go out on a caller's word pass. */
  readonly guard: OutboundGuard;
  readonly clock: Clock;
  readonly log: FailureLog;
  /** How long a download may take: an idle connection ends sooner, and one that drips never would. */
  readonly recoverySeconds: number;
};

/** Of a query string. */
type Waiting = { readonly wait?: string };

export type Location = { readonly location: string; readonly checksum?: string | undefined; readonly apiKey?: string | undefined };

/** An upload, in a draft of the folder. */
export type Received = { readonly file: string; readonly checksum: string; readonly expected?: string | undefined };

/** The file of a snapshot that comes from elsewhere, in its draft. */
export const RECEIVED_FILE = 'received.snapshot';

const DOWNLOADS_MAX = 4;
const RETRY_SECONDS = 30;
const IDLE_MS = 60_000;
/** Between two looks at the room on the disk. */
const CHECK_BYTES = 64 * 1024 * 1024;

export class SnapshotService {
  readonly #options: SnapshotServiceOptions;
  #downloads = 0;

  constructor(options: SnapshotServiceOptions) {
    this.#options = options;
  }

  /** Of a collection, or without one of the whole storage. */
  async create(collection: string | undefined, query: Waiting): Promise<SnapshotDescription | Accepted> {
    const { engine, log } = this.#options;
    // A missing collection is reported also to callers who do not wait.
    await engine.listSnapshots(collection);
    return orLater(query, engine.createSnapshot(collection), { later: ACCEPTED, log });
  }

  delete(snapshot: { readonly collection?: string; readonly name: string }): Promise<true> {
    return this.#options.engine.deleteSnapshot(snapshot);
  }

  /** From a file of the snapshots folder, or from a URL. */
  async recoverFrom(collection: string, { location, checksum, apiKey }: Location, query: Waiting): Promise<true> {
    const url = URL.parse(location);
    if (url?.protocol === 'file:') {
      const path = await this.#options.folder.locateFile(localPath(url));
      return orLater(query, this.#options.engine.recover(collection, { path, expected: checksum }), {
        later: true,
        log: this.#options.log,
      });
    }
    if (url?.protocol === 'http:' || url?.protocol === 'https:') {
      return orLater(query, this.#download(collection, url, { checksum, apiKey }), { later: true, log: this.#options.log });
    }
    throw new ServiceError('invalid_request', { reason: 'location: expected a URL that begins with file://, http:// or https://' });
  }

  /** From a snapshot of its own. */
  async recoverNamed(
    collection: string,
    { name, checksum }: { readonly name: string; readonly checksum: string | undefined },
    query: Waiting,
  ): Promise<true> {
    const { engine } = this.#options;
    const { path } = await engine.snapshotFile({ collection, name });
    return orLater(query, engine.recover(collection, { path, expected: checksum }), { later: true, log: this.#options.log });
  }

  recoverReceived(collection: string, { file, checksum, expected }: Received, query: Waiting): Promise<true> {
    const recover = async () => {
      await using draft = this.#options.folder.adoptDraft(file);
      return await this.#options.engine.recover(collection, { path: join(draft.directory, RECEIVED_FILE), checksum, expected });
    };
    return orLater(query, recover(), { later: true, log: this.#options.log });
  }

  async #download(collection: string, url: URL, { checksum, apiKey }: Omit<Location, 'location'>): Promise<true> {
    if (this.#downloads >= DOWNLOADS_MAX) throw new ServiceError('snapshots_busy', { seconds: RETRY_SECONDS });
    this.#downloads++;
    const { engine, folder } = this.#options;
    await using draft = folder.openDraft();
    const path = join(draft.directory, RECEIVED_FILE);
    try {
      const { sha256 } = await this.#receive(url, apiKey, path);
      return await engine.recover(collection, { path, checksum: sha256, expected: checksum });
    } finally {
      this.#downloads--;
    }
  }

  async #receive(url: URL, apiKey: string | undefined, path: string): Promise<{ readonly sha256: string }> {
    const { clock, folder, guard, recoverySeconds } = this.#options;
    const tooLate = new AbortController();
    const deadline = clock.after(recoverySeconds * 1000, () => tooLate.abort());
    const headers = apiKey === undefined ? {} : { 'api-key': apiKey };
    const receive = async ({ status, headers: { 'content-length': length }, body }: OutboundStream) => {
      if (status !== 200) throw new OutboundRequestError(`${url.host} answered ${status}`);
      await folder.checkRoom(Number(length ?? 0));
      return await writeStream(path, body, roomChecker(folder));
    };
    try {
      return await receiveOutbound(guard, { url: url.href, headers, idleMs: IDLE_MS, signal: tooLate.signal }, receive);
    } catch (error) {
      if (tooLate.signal.aborted) {
        const reason = `location: the download took longer than ${recoverySeconds} s (SERVICE_RECOVERY_SECONDS)`;
        throw new ServiceError('snapshot_invalid', { reason }, { cause: error });
      }
      throw isOfTheWay(error) ? new ServiceError('snapshot_invalid', { reason: `location: ${error.message}` }, { cause: error }) : error;
    } finally {
      deadline.cancel();
    }
  }
}

/** For `writeStream`: looks at the room on the disk now and then. */
export function roomChecker(folder: SnapshotFolder): (bytes: number) => Promise<void> | void {
  let nextLook = 0;
  return (bytes) => {
    if (bytes < nextLook) return undefined;
    nextLook = bytes + CHECK_BYTES;
    return folder.checkRoom(CHECK_BYTES);
  };
}

function localPath(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new ServiceError('invalid_request', { reason: 'location: expected file:// and an absolute path' }, { cause });
  }
}

/** Of the connection or of the other side. */
function isOfTheWay(error: unknown): error is Error {
  if (error instanceof OutboundRefusedError || error instanceof OutboundRequestError) return true;
  return error instanceof Error && 'syscall' in error && ['connect', 'getaddrinfo'].includes(String(error.syscall));
}
