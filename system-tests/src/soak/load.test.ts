// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@sextant/foundation-std';
import { jsonClient } from '@sextant/foundation-testing';
import { afterAll, expect, test } from 'vitest';
import { vectorApi } from '../vector-api.ts';
import { OpenLoad } from './load.ts';

/** Nothing is sent to it. */
const client = jsonClient({ baseUrl: 'http://127.0.0.1:1' });
afterAll(() => client[Symbol.dispose]());
const vectors = vectorApi(client);

test('requests beyond those that may be under way wait, and their wait is latency', async () => {
  const gate = Promise.withResolvers<void>();
  let [underWay, most] = [0, 0];
  const run = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await gate.promise;
    underWay -= 1;
  };
  const load = new OpenLoad({ vectors, operations: [{ name: 'wait', weight: 1, run }], random: seededRandom(1) }, 10_000, 20);
  const end = new AbortController();
  const running = load.run(end.signal);
  await expect.poll(() => underWay).toBe(20);
  await sleep(50);
  expect(load.take()).toEqual({ latenciesMs: [], errors: 0, messages: [] });
  gate.resolve();
  let answered = 0;
  await expect.poll(() => (answered += load.take().latenciesMs.length)).toBeGreaterThan(200);
  end.abort();
  await running;
  expect(most).toBe(20);
});

test('what a request answers with is an error with its name', async () => {
  const run = () => Promise.reject(new Error('refused'));
  const load = new OpenLoad({ vectors, operations: [{ name: 'search', weight: 1, run }], random: seededRandom(1) }, 1000);
  const end = new AbortController();
  const running = load.run(end.signal);
  let messages: readonly string[] = [];
  await expect.poll(() => (messages = [...messages, ...load.take().messages])).toContain('search: Error: refused');
  end.abort();
  await running;
});
