// SPDX-License-Identifier: Apache-2.0
/** Puts bounds on an open object store: its calls end in time, its streams may not stall, and its errors are those of this package. */
import type { Clock } from '@sextant/foundation-std';
import { type OpenConnection, SourceError } from '../connector.ts';
import { type ByteRange, type ObjectStore, type ObjectStoreKind, objectStoreError, type StoredObject } from './object-store.ts';

export type BoundStore = Omit<ObjectStore, 'close' | 'problemOf' | 'read'> &
  Disposable & { readonly read: (object: StoredObject, range: ByteRange | undefined, signal: AbortSignal) => AsyncIterable<Uint8Array> };

/** Of one call that answers at once, retries included. */
const CALL_TIMEOUT_MS = 30_000;
/** Between two pieces of an object. */
const STALL_TIMEOUT_MS = 30_000;

/** Nothing is connected to yet. Throws a `SourceError` where the connection makes no sense. */
export function openBoundStore(stores: ObjectStoreKind, { payload, credential }: OpenConnection, clock: Clock): BoundStore {
  const store = stores.openStore(payload, credential);
  const bucket = stores.bucketOf(payload);
  const addressMember = `payload.${stores.addressMember}`;

  const errorOf = (cause: unknown, key: string | undefined) =>
    objectStoreError(store.problemOf(cause), { bucket, cause, addressMember, ...(key !== undefined && { key }) });

  const bound = async <Result>(key: string | undefined, signal: AbortSignal, run: (signal: AbortSignal) => Promise<Result>) => {
    signal.throwIfAborted();
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const limited = AbortSignal.any([signal, timeout]);
    try {
      return await unlessAborted(run(limited), limited);
    } catch (cause) {
      signal.throwIfAborted();
      if (!timeout.aborted) throw errorOf(cause, key);
      throw new SourceError(`the store did not answer within ${CALL_TIMEOUT_MS} ms`, { cause, member: addressMember });
    }
  };

  const list: BoundStore['list'] = async function* (prefix, signal) {
    const left = new AbortController();
    const pages = store.list(prefix, AbortSignal.any([signal, left.signal]))[Symbol.asyncIterator]();
    try {
      for (;;) {
        const page = await bound(undefined, signal, () => pages.next());
        if (page.done === true) return;
        yield page.value;
      }
    } finally {
      left.abort();
    }
  };

  return {
    list,
    head: async (key, signal) => {
      try {
        return await bound(key, signal, (limited) => store.head(key, limited));
      } catch (error) {
        // A missing object and a missing bucket look the same; listing tells them apart.
        if (error instanceof SourceError && error.member === 'payload.path') for await (const _page of list('', signal)) break;
        throw error;
      }
    },
    write: (key, bytes, signal) => bound(key, signal, (limited) => store.write(key, bytes, limited)),
    remove: (key, signal) => bound(key, signal, (limited) => store.remove(key, limited)),
    read: async function* (object, range, signal) {
      const stalled = new AbortController();
      const abortLater = () => clock.after(STALL_TIMEOUT_MS, () => stalled.abort(new Error(`no bytes for ${STALL_TIMEOUT_MS} ms`)));
      let timer = abortLater();
      try {
        const stream = await store.read(object, range, AbortSignal.any([signal, stalled.signal]));
        for await (const chunk of stream as AsyncIterable<Uint8Array>) {
          timer.cancel();
          timer = abortLater();
          yield chunk;
        }
      } catch (cause) {
        signal.throwIfAborted();
        const problem = store.problemOf(cause);
        // It was there a moment ago.
        throw objectStoreError(problem === 'no_object' ? 'changed' : problem, { bucket, key: object.key, cause, addressMember });
      } finally {
        timer.cancel();
      }
    },
    [Symbol.dispose]: store.close,
  };
}

/** Some SDKs take no signal: their call runs to its own end, unheard. */
async function unlessAborted<Result>(call: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([call, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
