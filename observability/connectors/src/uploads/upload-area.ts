// SPDX-License-Identifier: Apache-2.0
/**
 * Where uploaded files lie: a folder, or an object store. Ids are made here; no name of a user becomes a path or a key. Several processes may share an
 * area.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { ByteSource } from '../formats/byte-source.ts';
import type { LocalFile } from '../formats/open-files.ts';

export type Upload = {
  /** A UUID with the extension of the file, such as `…-….csv.gz`. */
  readonly id: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
};

export type ListedUpload = Pick<Upload, 'id' | 'bytes'> & { readonly modifiedAt: Date };

/** Read by ranges, where it lies. */
export type UploadSource = ByteSource & AsyncDisposable & { readonly modifiedAt: Date | null };

export type FetchOptions = {
  readonly signal: AbortSignal;
  /** For what does not lie on this machine. */
  readonly temporaryDirectory: string;
  /** What may be brought there. */
  readonly bytesMax: number;
  readonly onBytes?: (bytes: number) => void;
};

export type UploadArea = {
  /**
   * Keeps a body; it is on disk when this resolves. `name` is only asked for its extension. Throws an `UploadError`, the reason of the signal,
   * or the error of the body or the disk; nothing is kept then.
   */
  readonly receive: (
    owner: string,
    body: AsyncIterable<Uint8Array>,
    options: { readonly name: string; readonly bytesMax: number; readonly signal?: AbortSignal },
  ) => Promise<Upload>;
  /** Throws a `SourceError` where the owner has no such upload. */
  readonly look: (owner: string, id: string, signal: AbortSignal) => Promise<UploadSource>;
  /** As a file of this machine. Throws a `SourceError` where the owner has no such upload. */
  readonly open: (owner: string, id: string, options: FetchOptions) => Promise<LocalFile>;
  /** Removes an upload if it is there. A scan that has opened it still reads it. */
  readonly remove: (owner: string, id: string) => Promise<void>;
  /** Uploads of the owner; only those that nobody has changed since a time, where one is given. */
  readonly list: (owner: string, options?: { readonly changedBeforeMs: number }) => Promise<readonly ListedUpload[]>;
  /** Removes what is left of uploads that never ended and that nobody has changed since a time; answers how many uploads. */
  readonly removeUnfinished: (changedBeforeMs: number) => Promise<number>;
  /** The same for all processes that share the area, and another for every other area; undefined of one that nobody has claimed. Throws a `SourceError`. */
  readonly identity: () => Promise<string | undefined>;
  /** Gives an area that has none its identity. */
  readonly claim: (identity: string) => Promise<void>;
};

export class UploadError extends Error {
  override readonly name = 'UploadError';
  readonly reason: 'too_large' | 'no_space' | 'busy' | 'unreachable';

  constructor(reason: UploadError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Owners are tenants; a first character that is no dot keeps them out of `.incoming`, `.area` and `..`. */
const OWNER = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
const UUID_LENGTH = 36;
const UPLOAD_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(\.[a-z]{1,8}){0,2}$/;
const EXTENSIONS = /(\.(csv|tsv|tab|txt|ndjson|jsonl|json|parquet))?(\.(gz|zst))?$/i;

export function isUploadId(text: string): boolean {
  return UPLOAD_ID.test(text);
}

/** Of a file with this name. */
export function newUploadId(name: string): string {
  return `${randomUUID()}${EXTENSIONS.exec(name)?.[0].toLowerCase() ?? ''}`;
}

/** What is said of an upload names no id, which nobody chose. */
export function shownName(id: string): string {
  return `upload${id.slice(UUID_LENGTH)}`;
}

/** @throws RangeError */
export function requireOwner(owner: string): string {
  if (!OWNER.test(owner)) throw new RangeError(`${JSON.stringify(owner)} cannot own uploads`);
  return owner;
}

/** Counts and hashes what passes. It throws an `UploadError` where that is too much. */
export function measuredBody(bytesMax: number) {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* pass(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw new UploadError('too_large', `the upload is larger than the limit of ${bytesMax} bytes`);
      hash.update(chunk);
      yield chunk;
    }
  }
  return {
    pass,
    /** Of all that has passed; called once. */
    measured: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}
