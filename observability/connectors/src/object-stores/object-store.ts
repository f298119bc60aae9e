// SPDX-License-Identifier: Apache-2.0
/** What the connectors need of an object store; one small implementation for each SDK, one connector for all. */
import type { Readable } from 'node:stream';
import type { ConnectionKind, Credential } from '@sextant/contracts-observability';
import { OutboundRefusedError } from '@sextant/foundation-service';
import { SourceError } from '../connector.ts';
import type { Payload } from '../payload.ts';

export type StoredObject = {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date | null;
  /** Differs for each content that the key ever had (ETag, generation). */
  readonly version: string;
};

export type ByteRange = { readonly start: number; readonly end: number };

/** A bucket that is open for reading. Methods throw the errors of the SDK; `problemOf` says what they mean. */
export type ObjectStore = {
  /** Objects below a prefix, page by page. */
  readonly list: (prefix: string, signal: AbortSignal) => AsyncIterable<readonly StoredObject[]>;
  readonly head: (key: string, signal: AbortSignal) => Promise<StoredObject>;
  /** The bytes of exactly that version, all or `start` to before `end`; fails with the problem `changed` where it is no more. */
  readonly read: (object: StoredObject, range: ByteRange | undefined, signal: AbortSignal) => Promise<Readable>;
  readonly write: (key: string, bytes: Uint8Array, signal: AbortSignal) => Promise<void>;
  readonly remove: (key: string, signal: AbortSignal) => Promise<void>;
  readonly problemOf: (error: unknown) => ObjectStoreProblem;
  readonly close: () => void;
};

export type ObjectStoreProblem = 'no_bucket' | 'no_object' | 'refused' | 'changed' | 'unreachable';

/** What differs from store to store. */
export type ObjectStoreKind = {
  readonly kind: ConnectionKind;
  /** The member of the payload that holds the address of a store of one's own. */
  readonly addressMember: string;
  /** Both throw a `SourceError` that names the member. */
  readonly bucketOf: (payload: Payload) => string;
  readonly openStore: (payload: Payload, credential: Credential | null) => ObjectStore;
};

type Circumstances = {
  readonly bucket: string;
  /** Missing for what concerns the whole bucket. */
  readonly key?: string;
  readonly addressMember: string;
  readonly cause: unknown;
};

/** In the words of who configured the connection. */
export function objectStoreError(problem: ObjectStoreProblem, { bucket, key, addressMember, cause }: Circumstances): SourceError {
  const guarded = outboundRefusal(cause);
  if (guarded !== undefined) return new SourceError(guarded.message, { cause, member: addressMember });
  const reason = cause instanceof Error ? cause.message : String(cause);
  const noBucket = new SourceError(`there is no bucket ${bucket}`, { cause, member: 'payload.bucket' });
  switch (problem) {
    case 'no_bucket':
      return noBucket;
    case 'no_object':
      return key === undefined
        ? noBucket
        : new SourceError(`there is no object ${key} in bucket ${bucket}`, { cause, member: 'payload.path' });
    case 'refused':
      return new SourceError(`the store refuses the credential for bucket ${bucket}: ${reason}`, { cause, member: 'credential' });
    case 'changed':
      return new SourceError(`object ${key ?? ''} changed while it was read; scan it again`, { cause, member: 'payload.path' });
    case 'unreachable':
      return new SourceError(`the store cannot be reached: ${reason}`, { cause, member: addressMember });
  }
}

/** SDKs wrap the errors of their connections. */
function outboundRefusal(error: unknown): OutboundRefusedError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundRefusedError) return cause;
  }
  return undefined;
}

/** The status of a reply, where the error of an SDK has one. */
export function problemOfStatus(status: number | undefined): ObjectStoreProblem {
  if (status === 401 || status === 403) return 'refused';
  if (status === 404) return 'no_object';
  return status === 412 ? 'changed' : 'unreachable';
}
