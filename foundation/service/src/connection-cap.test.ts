// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { systemClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { ConnectionCap, capHttpConnections } from './connection-cap.ts';

async function cappedServer(max: number) {
  const cap = new ConnectionCap(ConnectionCap.allocate(), { max, clock: systemClock });
  const server = createServer((_request, response) => response.end('served'));
  capHttpConnections(server, cap, (seconds) => ({ status: { error: `as many connections as it may; try again in ${seconds} s` } }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  return {
    cap,
    open,
    url: `http://127.0.0.1:${port}`,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

test('beyond the cap a connection is answered 503 with Retry-After and closed', async () => {
  using server = await cappedServer(2);
  const idle = await server.open();
  await server.open();
  await expect.poll(() => server.cap.figures.open).toBe(2);
  const third = await server.open();
  const answer = await text(third);
  expect(answer).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  expect(answer).toContain('retry-after: 1\r\n');
  expect(answer).toContain('"error":"as many connections as it may; try again in 1 s"');
  expect(server.cap.figures).toEqual({ open: 2, max: 2, refused: 1 });

  idle.destroy();
  await expect.poll(() => server.cap.figures.open).toBe(1);
  expect(await (await fetch(server.url)).text()).toBe('served');
});

test('a client that sends before it reads gets the answer too', async () => {
  using server = await cappedServer(0);
  const reply = await fetch(server.url, { method: 'POST', body: 'x'.repeat(100_000) });
  expect(reply.status).toBe(503);
});

test('a flood beyond the cap holds no descriptor for long, and the server serves on', async () => {
  using server = await cappedServer(3);
  const flood = await Promise.all(Array.from({ length: 300 }, () => server.open()));
  await expect.poll(() => server.cap.figures.refused).toBe(297);
  for (const socket of flood) socket.destroy();
  await expect.poll(() => server.cap.figures.open).toBe(0);
  expect((await fetch(server.url)).status).toBe(200);
});
