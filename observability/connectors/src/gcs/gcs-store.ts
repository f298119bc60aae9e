// SPDX-License-Identifier: Apache-2.0
/** Google Cloud Storage. */

import { createPrivateKey } from 'node:crypto';
import { ApiError, type Bucket, type File, Storage } from '@google-cloud/storage';
import type { Credential } from '@sextant/contracts-observability';
import type { OutboundGuard } from '@sextant/foundation-service';
import { JWT } from 'google-auth-library';
import { pool } from 'teeny-request/build/src/agents.js';
import { SourceError } from '../connector.ts';
import {
  type ObjectStore,
  type ObjectStoreKind,
  type ObjectStoreProblem,
  problemOfStatus,
  type StoredObject,
} from '../object-stores/object-store.ts';
import { credentialOfType, optionalUrl, type Payload, requiredText } from '../payload.ts';

/** Reads and writes objects; it cannot change who may. */
const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write';
const RETRIES_MAX = 1;
const RETRY_DELAY_MAX_SECONDS = 1;
const PAGE_KEYS = 1000;
/** https://cloud.google.com/storage/docs/buckets#naming */
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/;

/** The last guard made is the one that all connections to this kind of store take: their SDK keeps its agents for the whole process. */
export function gcsStores(outbound: OutboundGuard): ObjectStoreKind {
  // The SDK takes no agent; the transport below it keeps those of kept-alive connections here, and redirects take them as well.
  pool.set('http:forever', outbound.httpAgent);
  pool.set('https:forever', outbound.httpsAgent);
  return {
    kind: 'GCS',
    addressMember: 'api_endpoint',
    bucketOf,
    openStore: (payload, credential) => gcsStore(openStorage(payload, credential).bucket(bucketOf(payload))),
  };
}

function bucketOf(payload: Payload): string {
  const bucket = requiredText(payload, 'bucket', 'the name of a bucket');
  if (!BUCKET.test(bucket)) throw new SourceError('payload.bucket is not the name of a bucket', { member: 'payload.bucket' });
  return bucket;
}

/** Only a store of one's own may do without a credential. */
function openStorage(payload: Payload, credential: Credential | null): Storage {
  const endpoint = optionalUrl(payload, 'api_endpoint', 'https://storage.example.com')?.href.replace(/\/+$/, '');
  const retryOptions = { autoRetry: true, maxRetries: RETRIES_MAX, maxRetryDelay: RETRY_DELAY_MAX_SECONDS };
  if (endpoint !== undefined && credential === null) {
    return new Storage({ apiEndpoint: endpoint, projectId: 'none', useAuthWithCustomEndpoint: false, retryOptions });
  }
  const key = credentialOfType(credential, 'GCP');
  const text = (member: string) => requiredText(key, member, 'what the key file of a service account holds', 'credential.payload');
  return new Storage({
    ...(endpoint !== undefined && { apiEndpoint: endpoint, useAuthWithCustomEndpoint: true }),
    projectId: text('project_id'),
    // Nothing else of the key file is taken over: it may name addresses to fetch tokens from.
    authClient: new JWT({ email: text('client_email'), key: privateKey(text('private_key')), scopes: [SCOPE] }),
    retryOptions,
  });
}

/** Keys that were copied out of their JSON have their line ends spelled. */
function privateKey(text: string): string {
  const pem = text.replaceAll('\\n', '\n');
  try {
    createPrivateKey(pem);
    return pem;
  } catch (cause) {
    const member = 'credential.payload.private_key';
    throw new SourceError(`${member} is not a private key in PEM`, { cause, member });
  }
}

function gcsStore(bucket: Bucket): ObjectStore {
  return {
    list: async function* (prefix) {
      let pageToken: string | undefined;
      do {
        const options = { prefix, autoPaginate: false, maxResults: PAGE_KEYS, ...(pageToken !== undefined && { pageToken }) };
        const [files, next] = await bucket.getFiles(options);
        yield files.filter(({ name }) => !name.endsWith('/')).map(storedObject);
        pageToken = nextToken(next);
      } while (pageToken !== undefined);
    },
    head: async (key) => {
      const file = bucket.file(key);
      await file.getMetadata();
      return storedObject(file);
    },
    read: ({ key, version }, range, signal) => {
      const stream = bucket.file(key, { generation: version }).createReadStream({
        // Bytes as they are stored; a checksum is over all of them.
        decompress: false,
        validation: range === undefined ? 'crc32c' : false,
        ...(range && { start: range.start, end: range.end - 1 }),
      });
      signal.addEventListener('abort', () => stream.destroy(new Error('aborted', { cause: signal.reason })), { once: true });
      return Promise.resolve(stream);
    },
    write: async (key, bytes) => {
      await bucket.file(key).save(Buffer.from(bytes), { resumable: false });
    },
    remove: async (key) => {
      await bucket.file(key).delete();
    },
    problemOf,
    close: () => {},
  };
}

function storedObject({ name, metadata }: File): StoredObject {
  return {
    key: name,
    bytes: Number(metadata.size ?? 0),
    modifiedAt: metadata.updated === undefined ? null : new Date(metadata.updated),
    version: String(metadata.generation ?? ''),
  };
}

function nextToken(query: unknown): string | undefined {
  const isQuery = typeof query === 'object' && query !== null && 'pageToken' in query;
  return isQuery && typeof query.pageToken === 'string' ? query.pageToken : undefined;
}

function problemOf(error: unknown): ObjectStoreProblem {
  if (error instanceof ApiError) return problemOfStatus(error.code);
  // A token that is refused (`invalid_grant`) has the status 400.
  return error instanceof Error && 'status' in error && (error.status === 400 || error.status === 401) ? 'refused' : 'unreachable';
}
