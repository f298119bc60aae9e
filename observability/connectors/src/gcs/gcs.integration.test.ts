// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Storage } from '@google-cloud/storage';
import { createOutboundGuard } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { freePort, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { objectStoreConformance } from '../object-stores/object-store.conformance.ts';
import { createObjectStoreConnector } from '../object-stores/object-store-connector.ts';
import { gcsStores } from './gcs-store.ts';

/** Of the Python package of that name: npm has no server of this protocol. CI installs it where the first path says. */
const NAME = 'gcp-storage-emulator';
const FOLDERS = [
  fileURLToPath(new URL('../../../../.cache/gcs-emulator/bin', import.meta.url)),
  ...(process.env.PATH ?? '').split(delimiter),
];
const emulator = FOLDERS.map((folder) => join(folder, NAME)).find((path) => existsSync(path));

if (emulator === undefined) {
  test('GCS, against a server of its protocol', (context) => context.skip(`${NAME} is not installed`));
} else {
  objectStoreConformance('GCS', {
    stores: gcsStores,
    at: (payload, address) => ({ ...payload, api_endpoint: address }),
    start: () => startEmulator(emulator),
  });
}

async function startEmulator(command: string) {
  const directory = await temporaryDirectory();
  const port = await freePort();
  const child = spawn(command, ['-d', directory.path, 'start', '--host=127.0.0.1', `--port=${port}`, '--in-memory'], { stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  while ((await fetch(address).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`${NAME} ended with exit code ${child.exitCode}`);
  }
  const storage = new Storage({ apiEndpoint: address, projectId: 'none', useAuthWithCustomEndpoint: false });
  await storage.createBucket('orders-bucket');
  return {
    payload: { bucket: 'orders-bucket', api_endpoint: address },
    // The emulator checks none.
    credential: null,
    // It ignores the generation that a read asks for.
    knowsVersions: false,
    put: async (key: string, bytes: Uint8Array) => {
      await storage.bucket('orders-bucket').file(key).save(Buffer.from(bytes), { resumable: false });
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
      await directory[Symbol.asyncDispose]();
    },
  };
}

const PAYLOAD = { bucket: 'orders-bucket' };
const KEY = { project_id: 'p', client_email: 'a@p.example', private_key: pem() };

test.each([
  ['payload.bucket', { payload: {}, credential: { type: 'GCP', payload: KEY } }],
  ['payload.api_endpoint', { payload: { ...PAYLOAD, api_endpoint: 'ftp://x' }, credential: null }],
  ['credential', { payload: PAYLOAD, credential: null }],
  ['credential.type', { payload: PAYLOAD, credential: { type: 'AWS', payload: KEY } }],
  ['credential.payload.private_key', { payload: PAYLOAD, credential: { type: 'GCP', payload: { ...KEY, private_key: '' } } }],
  ['credential.payload.private_key', { payload: PAYLOAD, credential: { type: 'GCP', payload: { ...KEY, private_key: 'k' } } }],
])('a connection to GCS is refused for its %s', (member, { payload, credential }) => {
  const guard = createOutboundGuard();
  const connector = createObjectStoreConnector(gcsStores(guard), { bytesMax: 1000, clock: systemClock });
  expect(() => connector.validateConnection(payload, credential)).toThrow(expect.objectContaining({ name: 'SourceError', member }));
});

test('a connection to GCS takes a key whose line ends are spelled', async () => {
  const guard = createOutboundGuard();
  const connector = createObjectStoreConnector(gcsStores(guard), { bytesMax: 1000, clock: systemClock });
  const payload = { ...KEY, private_key: KEY.private_key.replaceAll('\n', '\\n') };
  await connector.validateConnection(PAYLOAD, { type: 'GCP', payload });
});

function pem(): string {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
