// SPDX-License-Identifier: Apache-2.0
/** The object stores that are known, each with its SDK. */
import type { OutboundGuard } from '@sextant/foundation-service';
import type { DeferredKind } from './object-stores/load-kind.ts';

export function objectStoreKinds(outbound: OutboundGuard): readonly DeferredKind[] {
  return [
    {
      kind: 'S3',
      packages: ['@aws-sdk/client-s3', '@smithy/node-http-handler'],
      load: async () => (await import('./s3/s3-store.ts')).s3Stores(outbound),
    },
    {
      kind: 'GCS',
      packages: ['@google-cloud/storage', 'google-auth-library', 'teeny-request'],
      load: async () => (await import('./gcs/gcs-store.ts')).gcsStores(outbound),
    },
    {
      kind: 'AZURE',
      packages: ['@azure/storage-blob'],
      load: async () => (await import('./azure/azure-store.ts')).azureStores(outbound),
    },
  ];
}
