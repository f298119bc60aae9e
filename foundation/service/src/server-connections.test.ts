// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { drainConnections, ServerConnections } from './server-connections.ts';

const REQUEST = 'GET /sent-before HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

/** Ends once the kernel has taken the request. */
const SENDER = `
  const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1');
  socket.write(${JSON.stringify(REQUEST)}, () => process.exit());
`;

test('a request that was sent before the server began to close is read, though the server had not accepted its connection', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end();
  });
  const connections = new ServerConnections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server on a host and port has an address of this form.
  const { port } = server.address() as AddressInfo;
  // This process stands still meanwhile, so all of it waits in the kernel.
  const { status } = spawnSync(process.execPath, ['-e', SENDER, String(port)]);
  expect(status).toBe(0);
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  const times = { arrivalMs: 10_000, answerMs: 20_000 };
  await drainConnections(close, connections, { ...times, clock: systemClock, warn: () => undefined });
  expect(asked).toEqual(['/sent-before']);
});
