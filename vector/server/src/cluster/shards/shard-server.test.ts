// SPDX-License-Identifier: Apache-2.0
/** The lane between two nodes over a real connection: who is answered, and what either side reads. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ServiceError } from '@sextant/contracts-vector';
import { systemClock } from '@sextant/foundation-std';
import { shardName } from '@sextant/vector-collection';
import { expect, test } from 'vitest';
import { PeerClient, ShardAbsentError } from './peer-client.ts';
import { questioning, SEAL_HEADER, SHARDS_PATH, type ShardQuestion } from './question.ts';
import { Seal } from './seal.ts';
import { serveShards } from './shard-server.ts';

const seal = new Seal('a secret of the cluster');
const BODY_LIMIT = 10_000;
const ABSENT = shardName('films', 9);
const MISSING = shardName('films', 8);
const REFUSING = shardName('films', 7);
const BROKEN = shardName('films', 6);
const question: ShardQuestion = { read: 'count', shard: shardName('films', 0), request: {}, atLeast: 3 };

async function listening(listener: RequestListener = (_request, response) => void response.writeHead(404).end()) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    address: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function node() {
  const running = await listening();
  const logged: string[] = [];
  serveShards(running.server, {
    seal,
    reads: questioning(async (read, shard, request) => {
      if (shard === BROKEN) throw new Error('what nobody has thought of');
      if (shard === REFUSING) throw new ServiceError('index_required', { key: 'year', types: 'integer' });
      if (shard === ABSENT || shard === MISSING) throw new ServiceError('collection_not_found', { collection: shard });
      return { read, shard, request };
    }),
    reached: async () => {},
    applied: () => 12,
    isPlacedHere: (shard) => shard === MISSING,
    copies: {
      answer: async (asked) => ({ result: asked }),
      piece: async ({ draft, from, bytes }) => (draft === 'gone' ? undefined : Buffer.from(draft).subarray(from, from + bytes)),
    },
    isReady: () => true,
    bodyLimitBytes: BODY_LIMIT,
    clock: systemClock,
    log: { error: ({ err }: { readonly err?: unknown }) => logged.push(String(err)) },
  });
  let exchanges = 0;
  running.server.on('request', () => (exchanges += 1));
  return { ...running, logged, exchanges: () => exchanges };
}

test('a question of this cluster is answered', async () => {
  await using other = await node();
  const client = new PeerClient({ seal, clock: systemClock });
  expect(await client.ask(other.address, question, AbortSignal.timeout(60_000))).toEqual({
    read: 'count',
    shard: question.shard,
    request: {},
  });
  client.close();
});

test('questions of one moment go together, what they share once, and each has an answer of its own', async () => {
  await using other = await node();
  const client = new PeerClient({ seal, clock: systemClock });
  const request = { filter: { must: [] } };
  const ask = (shard: string) => client.ask(other.address, { ...question, shard, request }, AbortSignal.timeout(60_000));
  const answers = await Promise.allSettled([question.shard, ABSENT, MISSING, REFUSING, BROKEN, shardName('films', 1)].map(ask));
  expect(answers).toMatchObject([
    { value: { read: 'count', shard: question.shard, request } },
    { reason: new ShardAbsentError(12) },
    { reason: { name: 'PeerFailure', message: 'the shard is still being copied to it' } },
    { reason: { code: 'index_required', details: { key: 'year' } } },
    { reason: { name: 'PeerFailure', message: 'it answered with the status 500' } },
    { value: { shard: shardName('films', 1), request } },
  ]);
  expect(other.exchanges()).toBe(1);
  expect(other.logged).toEqual(['Error: what nobody has thought of']);
  client.close();
});

test('a shard that is not there is distinguished from a collection that is not', async () => {
  await using other = await node();
  const client = new PeerClient({ seal, clock: systemClock });
  const asked = client.ask(other.address, { ...question, shard: ABSENT }, AbortSignal.timeout(60_000));
  await expect(asked).rejects.toEqual(new ShardAbsentError(12));
  const missing = client.ask(other.address, { ...question, shard: MISSING }, AbortSignal.timeout(60_000));
  await expect(missing).rejects.toThrow('the shard is still being copied to it');
  client.close();
});

test('a copy is given out piece by piece, until it has gone', async () => {
  await using other = await node();
  const client = new PeerClient({ seal, clock: systemClock });
  const piece = (draft: string, from: number) =>
    client.bytes(other.address, { copy: 'piece', draft, from, bytes: 4 }, AbortSignal.timeout(60_000));
  expect(String(await piece('abcdefg', 2))).toBe('cdef');
  await expect(piece('gone', 0)).rejects.toThrow('it no longer has the copy');
  expect(await client.ask(other.address, { copy: 'incoming' }, AbortSignal.timeout(60_000))).toEqual({ copy: 'incoming' });
  client.close();
});

test.each([
  { what: 'without a seal', stated: undefined, length: 5_000_000_000, status: 401 },
  { what: 'with the seal of another cluster', stated: new Seal('another'), length: 5, status: 401 },
  { what: 'whose length is not the one in its seal', stated: seal, length: 6, status: 401 },
])('a question $what is refused before a byte of it is read', async ({ stated, length, status }) => {
  await using other = await node();
  const code = stated?.question(Buffer.from('which'), systemClock.nowMs());
  expect(await answerToHeaders(other.port, length, code)).toMatch(new RegExp(`^HTTP/1.1 ${status} .*connection: close`, 'is'));
});

test('a question beyond the limit of bodies is refused before a byte of it is read', async () => {
  await using other = await node();
  const body = Buffer.alloc(BODY_LIMIT + 1);
  expect(await answerToHeaders(other.port, body.length, seal.question(body, systemClock.nowMs()))).toMatch(/^HTTP\/1.1 413 /);
});

test('other bytes than the seal says are refused', async () => {
  await using other = await node();
  const headers = { [SEAL_HEADER]: seal.question(Buffer.from('which'), systemClock.nowMs()) };
  const { status } = await fetch(other.address + SHARDS_PATH, { method: 'POST', headers, body: 'whose' });
  expect(status).toBe(401);
});

/** Answers without end, under the seal of `sealed` bytes. */
function endless(sealed: Buffer, status = 200) {
  return listening((request, response) => {
    const given = String(request.headers[SEAL_HEADER]);
    response.writeHead(status, { [SEAL_HEADER]: seal.answer(sealed, given) });
    const more = () => void response.write(Buffer.alloc(1000), (error) => error ?? more());
    more();
  });
}

test.each([
  { what: 'longer than it may be', sealed: 5001, status: 200, reason: 'longer than 5000 bytes' },
  { what: 'longer than it says', sealed: 5000, status: 200, reason: 'changed in transit' },
  { what: 'to a question that was refused', sealed: 10, status: 413, reason: 'SERVICE_BODY_LIMIT_BYTES' },
])('an answer $what is given up', async ({ sealed, status, reason }) => {
  await using other = await endless(Buffer.alloc(sealed), status);
  const client = new PeerClient({ seal, clock: systemClock, answerBytesMax: 5000 });
  await expect(client.ask(other.address, question, AbortSignal.timeout(60_000))).rejects.toThrow(reason);
  client.close();
});

test('an answer of another cluster is not read', async () => {
  await using other = await listening((_request, response) => void response.writeHead(200, { [SEAL_HEADER]: 'x' }).write('a'));
  const client = new PeerClient({ seal, clock: systemClock });
  await expect(client.ask(other.address, question, AbortSignal.timeout(60_000))).rejects.toThrow('is not signed with the secret');
  client.close();
});

/** Of a node that was sent the headers of a question and nothing else, until it ends the connection. */
async function answerToHeaders(port: number, length: number, code: string | undefined): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const sealed = code === undefined ? '' : `${SEAL_HEADER}: ${code}\r\n`;
  socket.write(`POST ${SHARDS_PATH} HTTP/1.1\r\nhost: node\r\ncontent-length: ${length}\r\n${sealed}\r\n`);
  return await text(socket);
}
