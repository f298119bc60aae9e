// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, expect, test } from 'vitest';
import { excerpt, exchange, isFinalRefusal, retryAfter } from './exchange.ts';
import { openPeer, type Peer } from './testing/wire.ts';

let peer: Peer;
beforeAll(async () => {
  peer = await openPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

const NOW_MS = Date.parse('2026-03-10T12:00:00.000Z');

test.each([
  [undefined, undefined],
  ['0', 0],
  ['120', 120_000],
  ['Tue, 10 Mar 2026 12:01:00 GMT', 60_000],
  ['Tue, 10 Mar 2026 11:00:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['99999999999', undefined],
])('Retry-After %s is %s ms', (header, ms) => {
  expect(retryAfter(header, NOW_MS)).toBe(ms);
});

test('4xx are final, but for those that ask for another time', () => {
  expect([400, 401, 404, 409, 410, 422].every(isFinalRefusal)).toBe(true);
  expect([200, 302, 408, 429, 500, 503].some(isFinalRefusal)).toBe(false);
});

test('what a receiver says is cut and has no control characters', () => {
  expect(excerpt(Buffer.from('no\u0000 such\r\nthing\u001b[31m'))).toBe('no such thing [31m');
  expect(excerpt(Buffer.from('x'.repeat(1000)))).toHaveLength(301);
});

test('a receiver that is not there is a failure with a sentence', async () => {
  const failure = exchange(peer.wire, { url: 'http://127.0.0.1:1/', method: 'GET' });
  await expect(failure).rejects.toMatchObject({ name: 'DeliveryFailure', isPermanent: false, message: expect.stringMatching(/\S/) });
});

test('a receiver that never answers is left after its time, to be tried again', async () => {
  peer.answer = () => undefined;
  const never = exchange({ ...peer.wire, timeoutMs: 50 }, { url: peer.url, method: 'GET' });
  await expect(never).rejects.toMatchObject({
    name: 'DeliveryFailure',
    isPermanent: false,
    message: expect.stringContaining('within 50 ms'),
  });
});

test('a stop of the service is not a failure of the receiver', async () => {
  await using stopping = await openPeer();
  stopping.answer = () => {
    stopping.stop.abort(new Error('the service stops'));
    return undefined;
  };
  await expect(exchange(stopping.wire, { url: stopping.url, method: 'GET' })).rejects.toThrow('the service stops');
});
