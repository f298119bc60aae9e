// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeBodiesRaw } from './raw-bodies.ts';
import { releaseBytes } from './release-bytes.ts';

const LIMIT = 2_000_000;
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  app = fastify({ bodyLimit: LIMIT });
  takeBodiesRaw(app);
  app.post('/', async ({ body }) => (body instanceof Uint8Array ? { bytes: body.length, sha256: hash(body) } : { bytes: undefined }));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(() => app.close());

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 31 + (index >>> 8)) & 0xff);

/** In pieces, of a length that is not said. */
function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const pieces = Array.from({ length: 20 }, (_, index) => bytes.slice((bytes.length * index) / 20, (bytes.length * (index + 1)) / 20));
  return ReadableStream.from(pieces);
}

async function post(body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>) {
  const headers = { 'content-type': 'application/octet-stream' };
  const response = await fetch(url, { method: 'POST', headers, body, duplex: 'half' });
  return { status: response.status, body: await response.json() };
}

describe('a body comes as it was sent', () => {
  test.each([0, 1, 1000, 100_000, LIMIT])('%i bytes', async (length) => {
    const bytes = bytesOf(length);
    expect(await post(bytes)).toEqual({ status: 200, body: { bytes: length, sha256: hash(bytes) } });
  });

  test.each([1000, LIMIT])('%i bytes of unknown length', async (length) => {
    const bytes = bytesOf(length);
    expect(await post(inPieces(bytes))).toEqual({ status: 200, body: { bytes: length, sha256: hash(bytes) } });
  });
});

test.each([
  ['says so', () => bytesOf(LIMIT + 1)],
  ['does not say so', () => inPieces(bytesOf(LIMIT + 100_000))],
])('a body over the limit that %s is refused as the framework refuses it', async (_name, body) => {
  expect(await post(body())).toMatchObject({ status: 413, body: { code: 'FST_ERR_CTP_BODY_TOO_LARGE' } });
});

describe('released bytes', () => {
  test('are gone where the buffer is theirs alone', () => {
    const bytes = new Uint8Array(1000);
    releaseBytes(bytes);
    expect(bytes.buffer.detached).toBe(true);
  });

  test('stay where others share the buffer', () => {
    const shared = new Uint8Array(1000);
    releaseBytes(shared.subarray(0, 500));
    expect(shared).toHaveLength(1000);
  });
});
