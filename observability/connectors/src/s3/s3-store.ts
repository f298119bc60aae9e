// SPDX-License-Identifier: Apache-2.0
/** Amazon S3 and the stores that speak its protocol. */
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { OutboundGuard } from '@sextant/foundation-service';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SourceError } from '../connector.ts';
import { type ObjectStore, type ObjectStoreKind, type ObjectStoreProblem, problemOfStatus } from '../object-stores/object-store.ts';
import { credentialOfType, optionalFlag, optionalText, optionalUrl, type Payload, requiredText } from '../payload.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const ATTEMPTS_MAX = 3;
const DEFAULT_REGION = 'us-east-1';
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,32}$/;

export function s3Stores(outbound: OutboundGuard): ObjectStoreKind {
  return {
    kind: 'S3',
    addressMember: 'endpoint',
    bucketOf,
    openStore: (payload, credential) => {
      const keys = credentialOfType(credential, 'AWS');
      const sessionToken = optionalText(keys, 'session_token', 'a session token', 'credential.payload');
      const endpoint = optionalUrl(payload, 'endpoint', 'https://storage.example.com');
      const client = new S3Client({
        region: regionOf(payload),
        ...(endpoint && { endpoint: endpoint.href }),
        // Stores that are not Amazon's seldom have a host name for each bucket.
        forcePathStyle: optionalFlag(payload, 'path_style') ?? endpoint !== undefined,
        credentials: {
          accessKeyId: requiredText(keys, 'access_key', 'an access key id', 'credential.payload'),
          secretAccessKey: requiredText(keys, 'secret_key', 'a secret access key', 'credential.payload'),
          ...(sessionToken !== undefined && { sessionToken }),
        },
        maxAttempts: ATTEMPTS_MAX,
        // Not every store knows the newer checksums; TLS and the ETag guard the way.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: new NodeHttpHandler({
          httpAgent: outbound.httpAgent,
          httpsAgent: outbound.httpsAgent,
          connectionTimeout: CONNECT_TIMEOUT_MS,
        }),
      });
      return s3Store(client, bucketOf(payload));
    },
  };
}

function bucketOf(payload: Payload): string {
  const bucket = requiredText(payload, 'bucket', 'the name of a bucket');
  if (!BUCKET.test(bucket)) throw new SourceError('payload.bucket is not the name of a bucket', { member: 'payload.bucket' });
  return bucket;
}

function regionOf(payload: Payload): string {
  const region = optionalText(payload, 'region', DEFAULT_REGION) ?? DEFAULT_REGION;
  if (!REGION.test(region)) throw new SourceError('payload.region is not the name of a region', { member: 'payload.region' });
  return region;
}

function s3Store(client: S3Client, bucket: string): ObjectStore {
  return {
    list: async function* (prefix, abortSignal) {
      let token: string | undefined;
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }), {
          abortSignal,
        });
        yield (page.Contents ?? []).flatMap(({ Key, Size, LastModified, ETag }) =>
          Key === undefined || Key.endsWith('/')
            ? []
            : [{ key: Key, bytes: Size ?? 0, modifiedAt: LastModified ?? null, version: ETag ?? '' }],
        );
        token = page.NextContinuationToken;
      } while (token !== undefined);
    },
    head: async (key, abortSignal) => {
      const { ContentLength, LastModified, ETag } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), { abortSignal });
      return { key, bytes: ContentLength ?? 0, modifiedAt: LastModified ?? null, version: ETag ?? '' };
    },
    read: async ({ key, version }, range, abortSignal) => {
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ...(version !== '' && { IfMatch: version }),
        ...(range && { Range: `bytes=${range.start}-${range.end - 1}` }),
      });
      const { Body, ETag } = await client.send(command, { abortSignal });
      if (!(Body instanceof Readable)) throw new TypeError('the SDK of S3 streams in Node');
      // Some stores do not know the condition.
      if (ETag !== version) {
        Body.destroy();
        throw new ChangedError();
      }
      return Body;
    },
    write: async (key, bytes, abortSignal) => {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }), { abortSignal });
    },
    remove: async (key, abortSignal) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }), { abortSignal });
    },
    problemOf,
    // The client would close the connections of the guard, which it shares with others.
    close: () => {},
  };
}

class ChangedError extends Error {}

function problemOf(error: unknown): ObjectStoreProblem {
  if (error instanceof ChangedError) return 'changed';
  if (!(error instanceof S3ServiceException)) return 'unreachable';
  return error.name === 'NoSuchBucket' ? 'no_bucket' : problemOfStatus(error.$metadata.httpStatusCode);
}
