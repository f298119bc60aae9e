// SPDX-License-Identifier: Apache-2.0
/**
 * Texts of all requests on their way to the providers. A text that is known is answered from the cache, one that is under way is waited for, the others
 * wait in a line for each model. Whenever one of a few requests to a provider has ended, the next takes what is in the line: batches grow under load, and
 * without it no text waits for company.
 */
import { ServiceError } from '@sextant/contracts-vector';
import { EmbeddingFailure, type EmbeddingProvider, type EmbeddingRequest } from './provider.ts';
import { cacheKey, type VectorCache } from './vector-cache.ts';

/** Texts and characters that wait or are under way, of all requests together. */
const WAITING_MAX = 20_000;
const WAITING_CHARACTERS_MAX = 67_108_864;
/** Characters of the texts of one request to a provider, unless a single one has more. */
const BATCH_CHARACTERS_MAX = 1_000_000;
const RETRY_SECONDS = 1;

export type EmbeddingFigures = {
  readonly texts: number;
  readonly cached: number;
  readonly requests: number;
  readonly failures: number;
  readonly cacheBytes: number;
};

type Waiting = {
  readonly key: string;
  readonly text: string;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: unknown) => void;
};

/** Texts of one model and the same options. */
type Line = {
  readonly request: Omit<EmbeddingRequest, 'texts'>;
  readonly provider: EmbeddingProvider;
  readonly waiting: Waiting[];
  running: number;
};

export class Embedder {
  readonly #providers: ReadonlyMap<string, EmbeddingProvider>;
  readonly #cache: VectorCache;
  readonly #lines = new Map<string, Line>();
  readonly #underWay = new Map<string, Promise<Float32Array>>();
  #characters = 0;
  #figures = { texts: 0, cached: 0, requests: 0, failures: 0 };

  constructor(providers: readonly EmbeddingProvider[], cache: VectorCache) {
    this.#providers = new Map(providers.flatMap((provider) => provider.models.map((model) => [model, provider])));
    this.#cache = cache;
  }

  get figures(): EmbeddingFigures {
    return { ...this.#figures, cacheBytes: this.#cache.bytes };
  }

  /**
   * One vector for each text. All or none: the first text that fails fails the request.
   * @throws ServiceError
   */
  async embed({ model, dimensions, texts }: EmbeddingRequest): Promise<readonly Float32Array[]> {
    const provider = this.#providers.get(model);
    if (provider === undefined) throw new ServiceError('invalid_request', { reason: `the model "${model}" is not served` });
    const request = { model, ...(dimensions === undefined ? {} : { dimensions }) };
    try {
      return await Promise.all(texts.map((text) => this.#vectorOf(provider, request, text)));
    } catch (error) {
      throw errorFor(error, model);
    }
  }

  async close(): Promise<void> {
    for (const provider of new Set(this.#providers.values())) await provider.close();
  }

  #vectorOf(provider: EmbeddingProvider, request: Line['request'], text: string): Promise<Float32Array> {
    this.#figures.texts++;
    const key = cacheKey(request.model, request.dimensions, text);
    const known = this.#cache.get(key);
    if (known !== undefined) {
      this.#figures.cached++;
      return Promise.resolve(known);
    }
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    if (this.#underWay.size >= WAITING_MAX || this.#characters + text.length > WAITING_CHARACTERS_MAX)
      return Promise.reject(new EmbeddingFailure('the queue of texts is full', { isPassing: true }));
    this.#characters += text.length;
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
    const settled = promise.finally(() => {
      this.#underWay.delete(key);
      this.#characters -= text.length;
    });
    this.#underWay.set(key, settled);
    const line = this.#lineOf(provider, request);
    line.waiting.push({ key, text, resolve, reject });
    // Once all texts of the request are in the line.
    queueMicrotask(() => this.#send(line));
    return settled;
  }

  #lineOf(provider: EmbeddingProvider, request: Line['request']): Line {
    const name = `${request.model}\0${request.dimensions ?? ''}`;
    const known = this.#lines.get(name);
    if (known !== undefined) return known;
    const line = { provider, request, waiting: [], running: 0 };
    this.#lines.set(name, line);
    return line;
  }

  #send(line: Line): void {
    while (line.running < line.provider.requestsMax && line.waiting.length > 0) void this.#sendBatch(line, nextBatch(line));
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(`${line.request.model}\0${line.request.dimensions ?? ''}`);
  }

  async #sendBatch(line: Line, batch: readonly Waiting[]): Promise<void> {
    line.running++;
    this.#figures.requests++;
    try {
      const vectors = await line.provider.embed({ ...line.request, texts: batch.map(({ text }) => text) });
      for (const [index, { key, resolve }] of batch.entries()) {
        const vector = vectors[index];
        if (vector === undefined) throw new RangeError('a provider returns one vector per text');
        this.#cache.put(key, vector);
        resolve(vector);
      }
    } catch (error) {
      this.#figures.failures++;
      // Those that are resolved already stay so.
      for (const { reject } of batch) reject(error);
    } finally {
      line.running--;
      this.#send(line);
    }
  }
}

function nextBatch({ waiting, provider }: Line): readonly Waiting[] {
  let characters = 0;
  let length = 0;
  for (const { text } of waiting) {
    characters += text.length;
    if (length === provider.batchMax || (length > 0 && characters > BATCH_CHARACTERS_MAX)) break;
    length++;
  }
  return waiting.splice(0, length);
}

function errorFor(error: unknown, model: string): unknown {
  if (!(error instanceof EmbeddingFailure)) return error;
  const { message: reason, isPassing, retryAfterMs } = error;
  if (!isPassing)
    return new ServiceError('invalid_request', { reason: `the model "${model}" cannot embed a text: ${reason}` }, { cause: error });
  const seconds =
    retryAfterMs !== undefined && Number.isFinite(retryAfterMs) ? Math.max(RETRY_SECONDS, Math.ceil(retryAfterMs / 1000)) : RETRY_SECONDS;
  return new ServiceError('embedding_unavailable', { model, reason, seconds }, { cause: error });
}
