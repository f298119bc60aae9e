// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { storeLocation } from './store-location.ts';

const AWS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

test.each(['/backups', 'backups', './s3/backups', String.raw`C:\backups`, 'ftp://host/x'])('%s is no store', async (place) => {
  expect(await storeLocation(place, {})).toBeUndefined();
});

test.each([
  [
    's3://bucket',
    AWS,
    '',
    { type: 'S3', payload: { bucket: 'bucket' }, credential: { type: 'AWS', payload: { access_key: 'id', secret_key: 'secret' } } },
  ],
  [
    's3://bucket/a/b/',
    { ...AWS, AWS_SESSION_TOKEN: 't', AWS_DEFAULT_REGION: 'eu-west-1', AWS_ENDPOINT_URL: 'http://minio:9000' },
    'a/b/',
    { payload: { endpoint: 'http://minio:9000', region: 'eu-west-1' }, credential: { payload: { session_token: 't' } } },
  ],
  [
    'gs://bucket/x',
    { STORAGE_EMULATOR_HOST: 'http://127.0.0.1:1' },
    'x/',
    { type: 'GCS', payload: { api_endpoint: 'http://127.0.0.1:1' }, credential: null },
  ],
  [
    'azure://account/container/x',
    { AZURE_STORAGE_SAS_TOKEN: '?sig=a' },
    'x/',
    {
      type: 'AZURE',
      payload: { storage_account: 'account', bucket: 'container' },
      credential: { type: 'AZURE_SAS', payload: { sas_key: '?sig=a' } },
    },
  ],
])('%s is a store', async (place, environment, prefix, address) => {
  expect(await storeLocation(place, environment)).toMatchObject({ prefix, shown: place, address });
});

test('the key file of a service account is read', async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, 'key.json');
  await writeFile(file, '{"client_email": "a@b", "private_key": "k", "project_id": "p"}');
  const location = await storeLocation('gs://bucket', { GOOGLE_APPLICATION_CREDENTIALS: file });
  expect(location?.address.credential).toEqual({ type: 'GCP', payload: { client_email: 'a@b', private_key: 'k', project_id: 'p' } });
  await writeFile(file, 'no json');
  await expect(storeLocation('gs://bucket', { GOOGLE_APPLICATION_CREDENTIALS: file })).rejects.toThrow('is not valid JSON');
});

test.each([
  ['s3://', AWS, 'contains no bucket'],
  ['azure://account', {}, 'contains no bucket'],
  ['s3://bucket', {}, 'needs AWS_ACCESS_KEY_ID'],
  ['gs://bucket', {}, 'needs GOOGLE_APPLICATION_CREDENTIALS'],
  ['azure://account/container', {}, 'needs AZURE_STORAGE_SAS_TOKEN'],
])('%s is refused', async (place, environment, sentence) => {
  await expect(storeLocation(place, environment)).rejects.toThrow(sentence);
});
