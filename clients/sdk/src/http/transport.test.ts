// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../errors/refusal.ts';
import { VectorClient, type VectorClientOptions } from '../vector/vector-client.ts';
import { type Answer, answeringServer, BREAK, json, NEVER, refusal } from './answering-server.fixture.ts';
import { ADVISED_RETRIES, waitBeforeRetry } from './retry.ts';

const DONE = json(200, { time: 0, status: 'ok', result: { count: 7 } });
const CREATED = json(200, { time: 0, status: 'ok', result: true });
const STARTING = refusal(412, 'Engine not initialized');
/** As the advised waits, a thousand times shorter. */
const QUICK = { firstWaitMs: 0.5 };

async function serving(answers: readonly Answer[], options: VectorClientOptions = {}) {
  const server = await answeringServer(...answers);
  const client = new VectorClient({ url: server.url, retry: QUICK, ...options });
  return { server, client, count: () => client.collection('c').count(), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const CONFIG = { vectors: { size: 1, distance: 'Dot' } } as const;

test('the time that the service reports is announced in milliseconds', async () => {
  await using it = await serving([json(200, { time: 0.0025, status: 'ok', result: { count: 7 } })]);
  const times: number[] = [];
  await it.client.collection('c').count({}, { onServiceTime: (milliseconds) => void times.push(milliseconds) });
  expect(times).toEqual([2.5]);
});

describe('what is tried again', () => {
  test.each<[string, Answer]>([
    ['an engine that starts', STARTING],
    ['a service that holds as much as it may', refusal(429, 'Too many attempts; try again in 0 s', { 'retry-after': '0' })],
    ['a proxy that does not reach it', (response) => void response.writeHead(502).end('<html>Bad Gateway</html>')],
    ['a service that is leaving', refusal(503, 'The server is shutting down')],
    ['a line that breaks', BREAK],
  ])('%s', async (_name, answer) => {
    await using it = await serving([answer, answer, DONE]);
    expect(await it.count()).toBe(7);
    expect(it.server.requests).toHaveLength(3);
  });

  test('five times, then the refusal is the answer', async () => {
    await using it = await serving([STARTING]);
    await expect(it.count()).rejects.toMatchObject({ name: 'NotReadyError', code: 'engine_not_initialized', status: 412 });
    expect(it.server.requests).toHaveLength(6);
  });

  test('as often as one call says', async () => {
    await using it = await serving([STARTING]);
    await expect(it.client.collection('c').count({}, { retries: 1 })).rejects.toThrow('Engine not initialized');
    expect(it.server.requests).toHaveLength(2);
  });

  test('nothing else', async () => {
    for (const answer of [
      refusal(412, 'Collection deleted'),
      refusal(400, 'limit: expected'),
      refusal(500, 'Search failed'),
      refusal(404, 'x'),
    ]) {
      await using it = await serving([answer, DONE]);
      await expect(it.count()).rejects.toThrow();
      expect(it.server.requests).toHaveLength(1);
    }
  });

  test('a call that may have done its work is not sent again where twice is not once', async () => {
    for (const answer of [BREAK, refusal(503, 'The server is shutting down')]) {
      await using it = await serving([answer, CREATED]);
      await expect(it.client.createCollection('c', CONFIG)).rejects.toThrow();
      expect(it.server.requests).toHaveLength(1);
    }
  });

  test('a call that was refused before it did anything is sent again in any case', async () => {
    await using it = await serving([STARTING, CREATED]);
    expect(await it.client.createCollection('c', CONFIG)).toBe(true);
  });

  test('a service that nobody reaches, with the reason', async () => {
    const { url } = await closedServer();
    const client = new VectorClient({ url, retry: { ...QUICK, retries: 2 } });
    await expect(client.createCollection('c', CONFIG)).rejects.toMatchObject({
      name: 'ConnectionError',
      code: 'connection_failed',
      mayHaveArrived: false,
      message: `PUT /collections/{collection_name}: ${url} could not be reached (ECONNREFUSED)`,
    });
  });
});

test('the waits are those that the service advises: 500 ms, doubling, five times', () => {
  const starting = refusalOf({ service: 'vector', operation: 'GET /', status: 412, sentence: 'Engine not initialized' });
  const waits = [0, 1, 2, 3, 4, 5].map((attempt) => waitBeforeRetry(starting, { attempt, isRepeatable: false, policy: ADVISED_RETRIES }));
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, undefined]);
});

test('a wait that is longer than the client wants to wait is left to the caller', async () => {
  await using it = await serving([refusal(429, 'Too many attempts; try again in 900 s', { 'retry-after': '900' })]);
  await expect(it.count()).rejects.toMatchObject({ name: 'RateLimitError', code: 'rate_limited', retryAfterSeconds: 900 });
  expect(it.server.requests).toHaveLength(1);
});

test('Retry-After may be a date, compared with the clock of the server', async () => {
  const headers = { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 10:49:37 GMT' };
  await using it = await serving([refusal(429, 'busy', headers)]);
  await expect(it.count()).rejects.toMatchObject({ retryAfterSeconds: 7200 });
});

describe('an end before the answer', () => {
  test('when the time is up', async () => {
    await using it = await serving([NEVER]);
    const running = it.client.collection('c').count({}, { timeoutMs: 20 });
    await expect(running).rejects.toMatchObject({
      name: 'TimeoutError',
      code: 'timeout',
      message: expect.stringContaining('longer than 20 ms'),
    });
  });

  test('when the answer breaks off or does not go on', async () => {
    const half: Answer = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"time":');
    await using it = await serving([half]);
    await expect(it.client.collection('c').count({}, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' });
  });

  test('when the caller cancels: with the reason, also during a wait', async () => {
    await using never = await serving([NEVER]);
    await using starting = await serving([STARTING], { retry: { firstWaitMs: 60_000 } });
    for (const { server, client } of [never, starting]) {
      const controller = new AbortController();
      const reason = new Error('no longer needed');
      const running = client.collection('c').count({}, { signal: controller.signal });
      await expect.poll(() => server.requests).toHaveLength(1);
      controller.abort(reason);
      await expect(running).rejects.toBe(reason);
    }
  });

  test('before anything was sent', async () => {
    await using it = await serving([DONE]);
    await expect(it.client.collection('c').count({}, { signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow('never');
    expect(it.server.requests).toEqual([]);
  });
});

describe('credentials', () => {
  const KEY = 'sk-very-secret-key';

  test('go into their headers, and names of collections into the path', async () => {
    await using it = await serving([DONE], { apiKey: KEY, token: async () => 'token', headers: { 'x-team': 'search' } });
    await it.client.collection('a/b ü').count();
    expect(it.server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/collections/a%2Fb%20%C3%BC/points/count',
      headers: { 'api-key': KEY, authorization: 'Bearer token', 'x-team': 'search', 'content-type': 'application/json' },
      body: '{}',
    });
  });

  test('never get into a message, whatever goes wrong', async () => {
    await using it = await serving([refusal(401, 'Invalid or missing authorization token')], { apiKey: KEY });
    const url = it.server.url.replace('http://', `http://user:${KEY}@`);
    const failures: readonly (() => unknown)[] = [
      () => it.count(),
      () => new VectorClient({ url }),
      () => new VectorClient({ url: `http://x?api-key=${KEY}` }),
      () => new VectorClient({ apiKey: `${KEY}\n` }),
      () => new VectorClient({ url: it.server.url, token: `${KEY} ` }).collection('c').count(),
      () => new VectorClient({ url: 'http://127.0.0.1:1', apiKey: KEY, retry: { retries: 0 } }).collection('c').count(),
    ];
    for (const fail of failures) {
      const error: unknown = await Promise.try(fail).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(JSON.stringify(everythingOf(error))).not.toContain(KEY);
    }
  });

  test('follow no redirect', async () => {
    await using elsewhere = await serving([DONE]);
    await using it = await serving([(response) => void response.writeHead(307, { location: elsewhere.server.url }).end()], {
      apiKey: KEY,
      retry: { retries: 0 },
    });
    await expect(it.count()).rejects.toMatchObject({ code: 'connection_failed' });
    expect(elsewhere.server.requests).toEqual([]);
  });
});

test('an answer that is none of the service', async () => {
  for (const answer of [json(200, { hello: 'world' }), (response: Parameters<Answer>[0]) => void response.end('<html>')]) {
    await using it = await serving([answer]);
    await expect(it.count()).rejects.toMatchObject({ name: 'UnexpectedAnswerError', code: 'unexpected_answer' });
  }
});

async function closedServer() {
  const server = await answeringServer(DONE);
  await server[Symbol.asyncDispose]();
  return server;
}

/** An error with its causes and all that they hold. */
function everythingOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { ...Object.fromEntries(Object.entries(error)), message: error.message, stack: error.stack, cause: everythingOf(error.cause) };
}
