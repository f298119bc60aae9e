// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { isLongRun, temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { GRAPH_ALWAYS } from '../graph-config.ts';
import { startObservabilityServer } from '../observability/observability-server.ts';
import { until, untilIndexed } from '../until.ts';
import { vectorApi } from '../vector-api.ts';
import { grpcAddressOf, startVectorServer, TWO_THREADS } from '../vector-server.ts';

const HELD_WRITER = new URL('held-writer.ts', import.meta.url);
const STILL_DISK = new URL('still-disk.ts', import.meta.url);
/** Node.js waits for a request that has not come in full for five minutes. What has to be done by then is done on however busy a machine. */
const SECONDS = '8';
/** So many that their graph is still being built when they have been written. */
const WIDE_POINTS = 350;
const DIMENSION = 768;
/** More than the indexer leaves unsaved in a lull. */
const SAVED_POINTS = 3000;
const SAVE_BEGINS_MS = 120_000;
const ROUNDS_OF_CALLS = 20;
const CONNECTIONS = 2;
const CALLS_AT_A_TIME = 4;

/**
 * Connections that a server would wait for: one that is silent, one that stops within its head, one within its body, and one between requests. Of the
 * last two the server has shown that it has read them: the client of one waits for leave to go on (RFC 9110, section 10.1.1), the other has its answer.
 */
async function unfinished(address: string, posted: string): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(address);
  const post = `POST ${posted} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100`;
  const beginnings = [
    { text: '' },
    { text: 'GET / HTTP/1.1\r\nHost: x' },
    { text: `${post}\r\nExpect: 100-continue\r\n\r\n{"vector"`, reply: 'HTTP/1.1 100 Continue' },
    { text: 'GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', reply: 'HTTP/1.1 200 OK' },
  ];
  return Promise.all(
    beginnings.map(async ({ text, reply }) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      if (text !== '') socket.write(text);
      if (reply !== undefined) expect(String(await once(socket, 'data'))).toContain(reply);
      return socket;
    }),
  );
}

/** Calls over several connections, each followed by the next one; a connection that ends is opened again while anybody listens. */
function keepCalling(address: string) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let isOver = false;
  const sessions = new Set<ClientHttp2Session>();
  const open = () => {
    if (isOver) return;
    const session = connectHttp2(address);
    sessions.add(session);
    session.on('error', (error) => {
      isOver ||= 'code' in error && error.code === 'ECONNREFUSED';
    });
    session.once('close', () => {
      sessions.delete(session);
      setTimeout(open, 1);
    });
    const call = () => {
      if (session.closed || session.destroyed) return;
      const stream = session.request({
        ':method': 'POST',
        ':path': '/qdrant.Collections/List',
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      stream.on('error', () => undefined);
      stream.once('response', begin);
      stream.once('close', call);
      stream.resume();
      stream.end(Buffer.alloc(5));
    };
    for (let count = 0; count < CALLS_AT_A_TIME; count++) call();
  };
  for (let count = 0; count < CONNECTIONS; count++) open();
  return {
    begun,
    [Symbol.dispose]: () => {
      isOver = true;
      for (const session of sessions) session.destroy();
    },
  };
}

describe('SIGTERM ends a service in order, whoever has not finished its request', () => {
  test('the vector service, with an open gRPC call too, and while other calls keep coming', async () => {
    await using directory = await temporaryDirectory();
    await using server = await startVectorServer({ directory: directory.path, environment: { SERVICE_SHUTDOWN_SECONDS: SECONDS } });
    const sockets = await unfinished(server.address, '/collections/a/points/search');
    const session = connectHttp2(grpcAddressOf(server));
    session.on('error', () => undefined);
    const call = session.request({
      ':method': 'POST',
      ':path': '/qdrant.Points/Search',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.on('error', () => undefined);
    call.write(Buffer.from([0, 0, 0, 0, 9]));
    using calls = keepCalling(grpcAddressOf(server));
    await calls.begun;
    await server.stop();
    expect(server.log.some((line) => line.includes('whose requests had not arrived completely'))).toBe(true);
    for (const socket of sockets) socket.destroy();
    session.destroy();
  });

  test.runIf(isLongRun())('the vector service, again and again while calls over gRPC keep coming', async () => {
    await using directory = await temporaryDirectory();
    for (let round = 0; round < ROUNDS_OF_CALLS; round++) {
      await using server = await startVectorServer({ directory: directory.path, environment: { SERVICE_SHUTDOWN_SECONDS: SECONDS } });
      using calls = keepCalling(grpcAddressOf(server));
      await calls.begun;
      await server.stop();
    }
  });

  test('while graphs are built, which the next start goes on with, and while the disk stands still over one that is being saved', async () => {
    await using directory = await temporaryDirectory();
    const environment = { SERVICE_SHUTDOWN_SECONDS: SECONDS, SERVICE_BODY_LIMIT_BYTES: String(2 ** 27) };
    const wide = Array.from({ length: WIDE_POINTS }, (_, id) => ({
      id,
      // Numbers of few digits are quick to send.
      vector: Array.from({ length: DIMENSION }, (_, at) => Math.round(100 * Math.sin(id * at)) / 100),
    }));
    {
      await using server = await startVectorServer({ directory: directory.path, environment: { ...TWO_THREADS, ...environment } });
      const collection = vectorApi(server.client).collection('wide');
      await collection.create({ vectors: { size: DIMENSION, distance: 'Dot' }, ...GRAPH_ALWAYS });
      await collection.upsert(wide);
      await server.stop();
    }
    const graph = join(directory.path, 'collections', '000002', 'graph-0.bin');
    const points = Array.from({ length: SAVED_POINTS }, (_, id) => ({ id, vector: [id, Math.sin(id), Math.cos(id), 1] }));
    {
      const still = { ...environment, NODE_OPTIONS: `--import=${STILL_DISK.href}` };
      await using server = await startVectorServer({ directory: directory.path, environment: still });
      expect(await vectorApi(server.client).collection('wide').count()).toBe(WIDE_POINTS);
      const collection = vectorApi(server.client).collection('saved');
      await collection.create({ vectors: { size: 4, distance: 'Euclid' }, ...GRAPH_ALWAYS });
      await vectorApi(server.client).collection('wide').remove();
      await collection.upsert(points);
      await until('the graph is being saved', SAVE_BEGINS_MS, async () => existsSync(`${graph}.new`) || undefined);
      await server.stop();
      expect(server.log.some((line) => line.includes('there is no time left to save graphs'))).toBe(true);
    }
    expect(existsSync(graph)).toBe(false);
    await using server = await startVectorServer({ directory: directory.path });
    const collection = vectorApi(server.client).collection('saved');
    expect(await collection.count()).toBe(SAVED_POINTS);
    await untilIndexed(collection);
    for (const { id, vector } of points.filter((point) => point.id % 500 === 0)) {
      expect(await collection.search({ vector, limit: 1 })).toMatchObject([{ id, score: 0 }]);
    }
    await server.stop();
    // What was begun before is not left behind.
    expect([existsSync(graph), existsSync(`${graph}.new`)]).toEqual([true, false]);
  });

  test('the observability service', async () => {
    await using directory = await temporaryDirectory();
    await using server = await startObservabilityServer({
      directory: directory.path,
      environment: { OBSERVABILITY_SHUTDOWN_SECONDS: SECONDS },
    });
    const sockets = await unfinished(server.address, '/auth/token');
    await server.stop();
    expect(server.log.some((line) => line.includes('whose requests had not arrived completely'))).toBe(true);
    for (const socket of sockets) socket.destroy();
  });
});

test('what does not end by the deadline is cut: the log says what it was, and the exit code is 1', async () => {
  await using directory = await temporaryDirectory();
  await using server = await startVectorServer({
    directory: directory.path,
    until: 'listening',
    environment: {
      SERVICE_SHUTDOWN_SECONDS: '1',
      NODE_OPTIONS: `--import=${HELD_WRITER.href}`,
      // It is never there, so the writer stands still for good.
      WRITER_HELD_UNTIL: join(directory.path, 'never'),
    },
  });
  await expect(server.stop()).rejects.toThrow('exit code 1');
  expect(server.log.join('\n')).toMatch(/stopped at the deadline; still running: \w/);
});
