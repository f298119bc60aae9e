// SPDX-License-Identifier: Apache-2.0
/** Azure Blob Storage, with a shared access signature. */
import { Readable } from 'node:stream';
import { AnonymousCredential, ContainerClient, newPipeline, type Pipeline, RestError } from '@azure/storage-blob';
import type { OutboundGuard } from '@sextant/foundation-service';
import { SourceError } from '../connector.ts';
import { type ObjectStore, type ObjectStoreKind, type ObjectStoreProblem, problemOfStatus } from '../object-stores/object-store.ts';
import { credentialOfType, optionalUrl, type Payload, requiredText } from '../payload.ts';

const ATTEMPTS_MAX = 3;
const RETRY_DELAY_MS = 200;
/** https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftstorage */
const ACCOUNT = /^[a-z0-9]{3,24}$/;
const CONTAINER = /^(\$root|\$web|[a-z0-9]([a-z0-9-]{1,61})[a-z0-9])$/;

export function azureStores(outbound: OutboundGuard): ObjectStoreKind {
  return {
    kind: 'AZURE',
    addressMember: 'endpoint',
    bucketOf,
    openStore: (payload, credential) => {
      const signature = requiredText(
        credentialOfType(credential, 'AZURE_SAS'),
        'sas_key',
        'a shared access signature',
        'credential.payload',
      );
      if (!/(^|[?&])sig=/.test(signature)) {
        throw new SourceError('credential.payload.sas_key is not a shared access signature (it has no sig=…)', {
          member: 'credential.payload.sas_key',
        });
      }
      const address = `${serviceAddress(payload)}/${bucketOf(payload)}?${signature.replace(/^\?/, '')}`;
      return azureStore(new ContainerClient(address, guardedPipeline(outbound)));
    },
  };
}

function bucketOf(payload: Payload): string {
  const container = requiredText(payload, 'bucket', 'the name of a container');
  if (!CONTAINER.test(container)) throw new SourceError('payload.bucket is not the name of a container', { member: 'payload.bucket' });
  return container;
}

function serviceAddress(payload: Payload): string {
  const account = requiredText(payload, 'storage_account', 'the name of a storage account');
  if (!ACCOUNT.test(account))
    throw new SourceError('payload.storage_account is not the name of an account', { member: 'payload.storage_account' });
  const endpoint = optionalUrl(payload, 'endpoint', `https://storage.example.com/${account}`);
  return endpoint?.href.replace(/\/+$/, '') ?? `https://${account}.blob.core.windows.net`;
}

/** Each request, those of retries and redirects included, takes the agent of the guard. */
function guardedPipeline({ httpAgent, httpsAgent }: OutboundGuard): Pipeline {
  const pipeline = newPipeline(new AnonymousCredential(), { retryOptions: { maxTries: ATTEMPTS_MAX, retryDelayInMs: RETRY_DELAY_MS } });
  pipeline.factories.push({
    create: (next) => ({
      sendRequest: (request) => {
        request.agent = request.url.startsWith('https:') ? httpsAgent : httpAgent;
        return next.sendRequest(request);
      },
    }),
  });
  return pipeline;
}

function azureStore(container: ContainerClient): ObjectStore {
  return {
    list: async function* (prefix, abortSignal) {
      for await (const { segment } of container.listBlobsFlat({ prefix, abortSignal }).byPage()) {
        yield segment.blobItems.map(({ name, properties }) => ({
          key: name,
          bytes: properties.contentLength ?? 0,
          modifiedAt: properties.lastModified,
          version: quoted(properties.etag),
        }));
      }
    },
    head: async (key, abortSignal) => {
      const { contentLength, lastModified, etag } = await container.getBlobClient(key).getProperties({ abortSignal });
      return { key, bytes: contentLength ?? 0, modifiedAt: lastModified ?? null, version: quoted(etag ?? '') };
    },
    read: async ({ key, version }, range, abortSignal) => {
      const { start = 0, end } = range ?? {};
      const conditions = { ifMatch: version };
      const reply = await container
        .getBlobClient(key)
        .download(start, end === undefined ? undefined : end - start, { abortSignal, conditions });
      if (!(reply.readableStreamBody instanceof Readable)) throw new TypeError('the SDK of Azure streams in Node');
      return reply.readableStreamBody;
    },
    write: async (key, bytes, abortSignal) => {
      await container.getBlockBlobClient(key).uploadData(bytes, { abortSignal });
    },
    remove: async (key, abortSignal) => {
      await container.getBlobClient(key).delete({ abortSignal });
    },
    problemOf,
    close: () => {},
  };
}

/** Lists say the tag without the quotes that the condition needs. */
function quoted(etag: string): string {
  return etag.startsWith('"') ? etag : `"${etag}"`;
}

function problemOf(error: unknown): ObjectStoreProblem {
  if (!(error instanceof RestError)) return 'unreachable';
  return error.code === 'ContainerNotFound' ? 'no_bucket' : problemOfStatus(error.statusCode);
}
