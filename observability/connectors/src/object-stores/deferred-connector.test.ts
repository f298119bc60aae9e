// SPDX-License-Identifier: Apache-2.0
import { systemClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { SourceError } from '../connector.ts';
import { createDeferredConnector } from './deferred-connector.ts';
import type { ObjectStoreKind } from './object-store.ts';

const connection = { id: 1, type: 'S3', payload: { bucket: 'files' }, credential: null } as const;
/** Not a literal: no compiler looks for it. */
const MISSING = ['@sextant', 'no-such-package'].join('/');

function connectorThat(load: () => Promise<ObjectStoreKind>) {
  return createDeferredConnector({ kind: 'S3', packages: ['@aws-sdk/client-s3', 'second'], load, bytesMax: 1, clock: systemClock });
}

test('an SDK that is not installed is named to whoever connects', async () => {
  const connector = connectorThat(() => import(/* @vite-ignore */ MISSING));
  const refused = connector.test(connection, new AbortController().signal);
  await expect(refused).rejects.toBeInstanceOf(SourceError);
  await expect(refused).rejects.toMatchObject({
    member: 'type',
    message:
      'connections of type S3 need packages that are not installed with the service; ' +
      'its operator can run `npm install @aws-sdk/client-s3 second` beside it and restart it',
  });
});

test('an SDK that is there and fails keeps its own error', async () => {
  const connector = connectorThat(() => Promise.reject(new TypeError('broken')));
  await expect(connector.test(connection, new AbortController().signal)).rejects.toThrow(TypeError);
});
