// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { systemClock } from '@sextant/foundation-std';
import { openMetadata } from '@sextant/observability-metadata';
import { expect, test } from 'vitest';
import { OtherKeyError } from './auth/keys.ts';
import { startFailure } from './start-failure.ts';

const PLACE = { host: '127.0.0.1', port: 6580, databaseUrl: undefined, dataDirectory: '/data' };

test('a database that cannot be reached is reported in a sentence', async () => {
  const databaseUrl = 'postgres://nobody:x@127.0.0.1:1/none';
  const opened = openMetadata({ databaseUrl }, { clock: systemClock, randomBytes, encryptionKey: new Uint8Array(32) });
  const error: unknown = await opened.catch((cause: unknown) => cause);
  expect(startFailure(error, { ...PLACE, databaseUrl })).toMatch(/^the database of DATABASE_URL cannot be reached \(.*127\.0\.0\.1:1/);
  expect(startFailure(error, PLACE)).toBeUndefined();
});

test('a port that is taken and a host that is none of this machine are reported with their settings', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(startFailure(await listenError('127.0.0.1', port), { ...PLACE, port })).toBe(
    `port ${port} of 127.0.0.1 is in use; stop the process that uses it, or set OBSERVABILITY_PORT to another port`,
  );
  server.close();
  expect(startFailure(await listenError('192.0.2.1', 0), { ...PLACE, host: '192.0.2.1' })).toMatch(
    /^cannot use 192\.0\.2\.1:6580 .*set OBSERVABILITY_HOST and OBSERVABILITY_PORT$/,
  );
});

test('a full disk is named by its folder, and what says itself how it is repaired says that', () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  expect(startFailure(full, PLACE)).toContain('the disk of /data is full');
  const otherKey = new OtherKeyError('the key is another');
  expect(startFailure(otherKey, PLACE)).toBe(otherKey.message);
});

test.each([new Error('a fault of ours'), Object.assign(new Error('of another kind'), { code: 'EPERM' }), 'no error at all'])(
  'where only we can repair it, there is no sentence: %s',
  (error) => {
    expect(startFailure(error, PLACE)).toBeUndefined();
  },
);

async function listenError(host: string, port: number): Promise<unknown> {
  const [error] = await once(createServer().listen(port, host), 'error').catch((cause: unknown) => [cause]);
  return error;
}
