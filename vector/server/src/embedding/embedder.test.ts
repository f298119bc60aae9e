// SPDX-License-Identifier: Apache-2.0
import { createOutboundGuard } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { type EmbeddingEndpoint, embeddingEndpoint, wordVector } from '@sextant/foundation-testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Embedder } from './embedder.ts';
import { type OpenAiOptions, openAiProvider } from './openai-provider.ts';
import type { EmbeddingProvider } from './provider.ts';
import { VectorCache } from './vector-cache.ts';

let endpoint: EmbeddingEndpoint;
const opened: Embedder[] = [];
beforeEach(async () => {
  endpoint = await embeddingEndpoint();
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await endpoint[Symbol.asyncDispose]();
});

function embedder(options: Partial<OpenAiOptions> = {}, cacheBytes = 1_000_000): Embedder {
  const guard = createOutboundGuard({ allowPrivateNetworks: true });
  const all = { url: endpoint.url, apiKey: 'key-of-the-operator', models: ['words', 'other'], batchMax: 3, timeoutMs: 10_000, ...options };
  const made = new Embedder([openAiProvider(all, { guard, clock: systemClock })], new VectorCache(cacheBytes));
  opened.push(made);
  return made;
}

const numbers = (vectors: readonly Float32Array[]) => vectors.map((vector) => [...vector]);

test('each text has its vector, whatever the order of the answer, in batches, with the key', async () => {
  const texts = ['a cat', 'a dog', 'two cats', 'a bird', 'fish'];
  expect(numbers(await embedder().embed({ model: 'words', texts }))).toEqual(texts.map((text) => wordVector(text)));
  expect(endpoint.calls.map(({ input }) => input.length)).toEqual([3, 2]);
  expect(endpoint.calls[0]).toMatchObject({ model: 'words', authorization: 'Bearer key-of-the-operator', encoding_format: 'float' });
});

test('a text is asked for once: it is known afterwards, waited for meanwhile, and counted', async () => {
  const known = embedder();
  const [first, second] = await Promise.all([
    known.embed({ model: 'words', texts: ['one', 'one'] }),
    known.embed({ model: 'words', texts: ['one', 'two'] }),
  ]);
  expect(numbers(first)).toEqual([wordVector('one'), wordVector('one')]);
  expect(numbers(second)).toEqual([wordVector('one'), wordVector('two')]);
  await known.embed({ model: 'words', texts: ['two'] });
  expect(endpoint.calls.flatMap(({ input }) => input)).toEqual(['one', 'two']);
  expect(known.figures).toMatchObject({ texts: 5, cached: 1, failures: 0 });
});

test('other models and other dimensions have vectors of their own', async () => {
  const all = embedder();
  expect(numbers(await all.embed({ model: 'words', dimensions: 4, texts: ['one'] }))).toEqual([wordVector('one', 4)]);
  expect(numbers(await all.embed({ model: 'words', texts: ['one'] }))).toEqual([wordVector('one')]);
  await all.embed({ model: 'other', texts: ['one'] });
  expect(endpoint.calls.map(({ model, dimensions }) => [model, dimensions])).toEqual([
    ['words', 4],
    ['words', undefined],
    ['other', undefined],
  ]);
});

test('texts that come while requests are under way go together', async () => {
  const sent: (readonly string[])[] = [];
  const waiting: (() => void)[] = [];
  const slow: EmbeddingProvider = {
    models: ['slow'],
    batchMax: 100,
    requestsMax: 4,
    embed: async ({ texts }) => {
      sent.push(texts);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return texts.map(() => Float32Array.of(1));
    },
    close: () => undefined,
  };
  const all = new Embedder([slow], new VectorCache(0));
  const asked = Array.from({ length: 10 }, (_, index) => all.embed({ model: 'slow', texts: [`text ${index}`] }));
  // The first request takes what stands in the line in the same turn.
  await Promise.resolve();
  const later = Array.from({ length: 10 }, (_, index) => all.embed({ model: 'slow', texts: [`later ${index}`] }));
  const ended = Promise.all([...asked, ...later]);
  let done = false;
  void ended.then(() => {
    done = true;
  });
  while (!done) {
    for (const go of waiting.splice(0)) go();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(sent.flat()).toHaveLength(20);
  expect(sent.length).toBeLessThan(10);
});

describe('what passes is tried again', () => {
  test.each([429, 500, 503])('after %i', async (status) => {
    endpoint.answerNext({ status, headers: { 'retry-after': '0' } });
    expect(await embedder().embed({ model: 'words', texts: ['one'] })).toHaveLength(1);
    expect(endpoint.calls).toHaveLength(2);
  });
});

const answered = (status: number, body: unknown) => ({ status, body });
const list = (...data: readonly unknown[]) => answered(200, { data });

test.each([
  ['a wrong key', [answered(401, { error: { message: 'Incorrect API key sk-secret' } })], 503, /answered 401; the operator has to check/],
  ['an unknown path', [answered(404, {})], 503, /answered 404; the operator has to check/],
  [
    'a text that is refused',
    [answered(400, { error: { message: 'too many\ntokens' } })],
    400,
    /^the model "words" cannot embed a text: .* refused the text with 400: too many tokens$/,
  ],
  ['faults again and again', Array(3).fill({ status: 500, headers: { 'retry-after': '0' } }), 503, /the endpoint answered 500/],
  ['a long pause', [{ status: 429, headers: { 'retry-after': '60' } }], 503, /answered 429.*try again in 60 s$/],
  ['no JSON', [answered(200, '<html>')], 503, /it is not valid JSON/],
  ['no vectors', [answered(200, {})], 503, /1 vectors were requested, but the response has none/],
  ['too many vectors', [list({ index: 0, embedding: [1] }, { index: 1, embedding: [1] })], 503, /the response has 2/],
  ['a vector without a place', [list({ index: 7, embedding: [1] })], 503, /which text each vector belongs to/],
  ['a vector that is none', [list({ index: 0, embedding: 'AAAA' })], 503, /not an array/],
  ['an empty vector', [list({ index: 0, embedding: [] })], 503, /not an array/],
  ['a component that is not a number', [list({ index: 0, embedding: [1, null] })], 503, /not a finite 32-bit number/],
  ['a component beyond 32 bits', [list({ index: 0, embedding: [1e300] })], 503, /not a finite 32-bit number/],
] as const)('%s is reported, and nothing of it is kept', async (_, answers, restStatus, message) => {
  endpoint.answerNext(...answers);
  const all = embedder();
  await expect(all.embed({ model: 'words', texts: ['one'] })).rejects.toMatchObject({
    restStatus,
    message: expect.stringMatching(message),
  });
  await expect(all.embed({ model: 'words', texts: ['one'] })).resolves.toHaveLength(1);
});

test('an endpoint that hangs is given up in time, one that is gone at once, and neither is named', async () => {
  endpoint.answerNext('hang', 'hang', 'hang');
  const hanging = embedder({ timeoutMs: 200 }).embed({ model: 'words', texts: ['one'] });
  await expect(hanging).rejects.toMatchObject({ restStatus: 503, message: expect.stringMatching(/did not answer in time/) });
  const gone = embedder({ url: 'http://127.0.0.1:1/v1', timeoutMs: 200 }).embed({ model: 'words', texts: ['one'] });
  await expect(gone).rejects.toMatchObject({ message: expect.stringMatching(/cannot be reached \(ECONNREFUSED\)/) });
  await expect(gone).rejects.toMatchObject({ message: expect.not.stringMatching(/127\.0\.0\.1/) });
});

test('more texts than may wait are refused', async () => {
  const never: EmbeddingProvider = {
    models: ['never'],
    batchMax: 1,
    requestsMax: 4,
    embed: () => new Promise(() => undefined),
    close: () => undefined,
  };
  const all = new Embedder([never], new VectorCache(0));
  const texts = Array.from({ length: 20_001 }, (_, index) => String(index));
  await expect(all.embed({ model: 'never', texts })).rejects.toMatchObject({
    restStatus: 503,
    message: expect.stringMatching(/the queue of texts is full/),
  });
});

describe('the cache', () => {
  test('keeps what was used last, within its bytes', () => {
    const cache = new VectorCache(2 * (4 * 10 + 200));
    const vector = () => new Float32Array(10);
    cache.put('a', vector());
    cache.put('b', vector());
    expect(cache.get('a')).toBeDefined();
    cache.put('c', vector());
    expect([cache.get('a'), cache.get('b'), cache.get('c')].map((found) => found !== undefined)).toEqual([true, false, true]);
    cache.put('c', new Float32Array(10));
    expect(cache.bytes).toBe(480);
    cache.put('huge', new Float32Array(1000));
    expect(cache.bytes).toBe(0);
  });
});
