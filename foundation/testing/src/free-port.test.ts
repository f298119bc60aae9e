// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './free-port.ts';

test('a port that browsers refuse is not given', async () => {
  await expect(fetch('http://127.0.0.1:10080')).rejects.toMatchObject({ cause: { message: 'bad port' } });
  const free = await freePort();
  const drawn = [10_080, free];
  expect(await freePort(() => drawn.shift() ?? 0)).toBe(free);
});

test('a port that somebody listens on is not given', async () => {
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const address = busy.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  const free = await freePort();
  const drawn = [address.port, free];
  expect(await freePort(() => drawn.shift() ?? 0)).toBe(free);
  busy.close();
});
