// SPDX-License-Identifier: Apache-2.0
import type { AddressInfo } from 'node:net';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { temporaryDirectory } from '@sextant/foundation-testing';
import S3rver from 's3rver';
import { objectStoreConformance } from '../object-stores/object-store.conformance.ts';
import { s3Stores } from './s3-store.ts';

/** What s3rver accepts. */
const KEYS = { access_key: 'S3RVER', secret_key: 'S3RVER' };

objectStoreConformance('S3', {
  stores: s3Stores,
  at: (payload, endpoint) => ({ ...payload, endpoint }),
  start: async () => {
    const directory = await temporaryDirectory();
    const server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: directory.path,
      configureBuckets: [{ name: 'orders-bucket', configs: [] }],
    });
    const address: AddressInfo = await server.run();
    const endpoint = `http://127.0.0.1:${address.port}`;
    const client = new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      credentials: { accessKeyId: KEYS.access_key, secretAccessKey: KEYS.secret_key },
    });
    return {
      payload: { bucket: 'orders-bucket', endpoint },
      credential: { type: 'AWS', payload: KEYS },
      wrongCredential: { type: 'AWS', payload: { ...KEYS, access_key: 'WRONG' } },
      knowsVersions: true,
      put: async (key, bytes) => {
        await client.send(new PutObjectCommand({ Bucket: 'orders-bucket', Key: key, Body: bytes }));
      },
      [Symbol.asyncDispose]: async () => {
        client.destroy();
        await server.close();
        await directory[Symbol.asyncDispose]();
      },
    };
  },
});
