// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { connect } from 'node:http2';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { ServiceError } from '@sextant/contracts-vector';
import { pause, systemClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import type { OperationRequest } from '../operations/operation.ts';
import { BodyBudget } from '../resources/body-budget.ts';
import { buildGrpcServer, type CallFacts } from './grpc-server.ts';

const PERMISSION_DENIED = '7';
const UNAUTHENTICATED = '16';
const UNIMPLEMENTED = '12';

/** A server that lets in whoever has the key, and a connection to it. */
async function opened({ beyondCap = false, answering = Promise.resolve() }: { beyondCap?: boolean; answering?: Promise<void> } = {}) {
  const asked: OperationRequest[] = [];
  const sockets = new Set<Socket>();
  const observed: CallFacts[] = [];
  const grpc = buildGrpcServer({
    dispatch: async (request) => {
      asked.push(request);
      await answering;
      return { status: 200, body: '{"result":{"exists":true},"time":0}' };
    },
    authorise: (caller) => {
      if (caller.credential !== 'key') throw new ServiceError('unauthorized');
      return { kind: 'anonymous' };
    },
    service: { state: () => 'ready', observeCall: (call) => void observed.push(call) },
    connectionsMax: 1,
    bodyBudget: new BodyBudget(BodyBudget.allocate(), 1_000_000),
    config: { bodyLimitBytes: 1_000_000, capabilities: [] },
    clock: systemClock,
    log: { error: () => undefined },
  });
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (beyondCap) grpc.refuse(socket);
    else grpc.serve(socket);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const session = connect(`http://127.0.0.1:${port}`);
  // A server that cuts its connections says so.
  session.on('error', () => undefined);
  const begin = (path: string, key: string, headers: { readonly [name: string]: string } = {}) =>
    session.request(
      { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', 'api-key': key, ...headers },
      { endStream: false },
    );
  return {
    asked,
    observed,
    begin,
    close: (graceMs: number) => grpc.close(graceMs),
    port,
    sockets,
    [Symbol.asyncDispose]: async () => {
      session.destroy();
      listener.close();
      await grpc.close(0);
    },
  };
}

test.each([
  ['a stranger', '/qdrant.Points/Upsert', 'wrong', UNAUTHENTICATED],
  ['a stranger who calls by another name', '/actian_vectorai.Points/Upsert', 'wrong', UNAUTHENTICATED],
  ['a call of a group that is off', '/qdrant.Points/Recommend', 'key', UNIMPLEMENTED],
])('%s is refused before a byte of the message is sent', async (_name, path, key, status) => {
  await using server = await opened();
  const stream = server.begin(path, key);
  const [headers] = (await once(stream, 'response')) as [{ readonly 'grpc-status'?: string }];
  const trailers = headers['grpc-status'] === undefined ? ((await once(stream, 'trailers')) as [{ 'grpc-status'?: string }])[0] : headers;
  expect(trailers['grpc-status']).toBe(status);
  expect(server.asked).toEqual([]);
  expect(server.observed).toMatchObject([{ method: path.slice(1).replace('actian_vectorai', 'qdrant'), code: Number(status) }]);
  stream.close();
});

test.each(['/qdrant.Points/Upsert', '/grpc.health.v1.Health/Check'])('a web page is refused, whatever it calls: %s', async (path) => {
  await using server = await opened();
  const stream = server.begin(path, 'key', { origin: 'https://evil.example' });
  const [headers] = (await once(stream, 'response')) as [{ readonly 'grpc-status'?: string; readonly 'grpc-message'?: string }];
  expect(headers['grpc-status']).toBe(PERMISSION_DENIED);
  expect(headers['grpc-message']).toContain('SERVICE_ALLOWED_ORIGINS');
  expect(server.asked).toEqual([]);
  stream.close();
});

test('what speaks HTTP/1.1, as browsers do, gets no answer', async () => {
  await using server = await opened();
  const socket = connectSocket(server.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.write(
    'POST /qdrant.Collections/List HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/grpc\r\ncontent-length: 5\r\n\r\n\0\0\0\0\0',
  );
  await once(socket, 'close');
  expect(answer).not.toContain('200');
  expect(server.asked).toEqual([]);
});

test('a call by the name that another client has for the service is the call of the protocol', async () => {
  await using server = await opened();
  const stream = server.begin('/actian_vectorai.Collections/CollectionExists', 'key');
  stream.end(existsMessage());
  stream.resume();
  const [trailers] = (await once(stream, 'trailers')) as [{ readonly 'grpc-status'?: string }];
  expect(trailers['grpc-status']).toBe('0');
  expect(server.asked).toMatchObject([{ operation: 'collection_exists', call: 'qdrant.Collections/CollectionExists' }]);
});

test('who may make a call is answered when the message is there', async () => {
  await using server = await opened();
  const stream = server.begin('/qdrant.Collections/CollectionExists', 'key');
  stream.end(existsMessage());
  stream.resume();
  const [trailers] = (await once(stream, 'trailers')) as [{ readonly 'grpc-status'?: string }];
  expect(trailers['grpc-status']).toBe('0');
  expect(server.asked).toMatchObject([{ operation: 'collection_exists', call: 'qdrant.Collections/CollectionExists' }]);
  expect(server.observed).toMatchObject([{ code: 0 }]);
});

test('on a connection beyond the cap every call is refused with the bound and when to try again', async () => {
  await using server = await opened({ beyondCap: true });
  const stream = server.begin('/qdrant.Points/Upsert', 'key');
  const [headers] = (await once(stream, 'response')) as [{ readonly [name: string]: string }];
  expect(headers['grpc-status']).toBe('8');
  expect(decodeURIComponent(headers['grpc-message'] ?? '')).toContain(
    'reached its maximum number of connections (1, SERVICE_CONNECTIONS_MAX)',
  );
  expect(headers['retry-after']).toBe('1');
  expect(server.asked).toEqual([]);
});

/** `CollectionExists` of a collection `a`, as its bytes go over the wire. */
function existsMessage(): Buffer {
  const name = Buffer.from('\n\u0001a');
  return Buffer.concat([Buffer.from([0, 0, 0, 0, name.length]), name]);
}

test('closing waits for the answer of a call in flight, and for its connection', async () => {
  const { promise: answering, resolve: answer } = Promise.withResolvers<void>();
  await using server = await opened({ answering });
  const stream = server.begin('/qdrant.Collections/CollectionExists', 'key');
  stream.end(existsMessage());
  stream.resume();
  await expect.poll(() => server.asked.length).toBe(1);
  const trailers = once(stream, 'trailers');
  const closed = server.close(60_000);
  // Time enough for a close that waits for nothing.
  await pause(systemClock, 20);
  answer();
  expect((await trailers)[0]).toMatchObject({ 'grpc-status': '0' });
  await closed;
  expect(server.sockets.size).toBe(0);
});

test('closing cuts a call that takes longer than its grace', async () => {
  await using server = await opened({ answering: new Promise(() => undefined) });
  const stream = server.begin('/qdrant.Collections/CollectionExists', 'key');
  stream.on('error', () => undefined);
  stream.end(existsMessage());
  await expect.poll(() => server.asked.length).toBe(1);
  await server.close(1);
  expect(server.sockets.size).toBe(0);
});

test('nothing reads on a connection once the server is closed, whenever it came', async () => {
  await using server = await opened();
  const socket = connectSocket(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await expect.poll(() => server.sockets.size).toBe(2);
  await server.close(1);
  expect(server.sockets.size).toBe(0);
  socket.destroy();
});
