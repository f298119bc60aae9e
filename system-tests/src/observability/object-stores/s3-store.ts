// SPDX-License-Identifier: Apache-2.0
/** A store that speaks the protocol of S3, with one bucket. */
import type { TemporaryDirectory } from '@sextant/foundation-testing';
import S3rver from 's3rver';

export const BUCKET = 'lake-bucket';
/** What the server accepts. */
export const KEYS = { access_key: 'S3RVER', secret_key: 'S3RVER' };

export async function startS3Store(directory: TemporaryDirectory) {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: directory.path,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    put: async (key: string, bytes: Uint8Array<ArrayBuffer>) => {
      const response = await fetch(`${endpoint}/${BUCKET}/${key}`, { method: 'PUT', body: bytes });
      if (!response.ok) throw new Error(`${key} could not be put: ${response.status} ${await response.text()}`);
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
    },
  };
}
