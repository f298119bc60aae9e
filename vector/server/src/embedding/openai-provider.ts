// SPDX-License-Identifier: Apache-2.0
/**
 * Vectors from an endpoint that speaks the protocol of OpenAI's embeddings (https://platform.openai.com/docs/api-reference/embeddings), as vLLM, Ollama,
 * LM Studio, text-embeddings-inference and others do too. Its answer is as hostile as any input: counted, measured and held to finite numbers.
 */
import { type OutboundGuard, type OutboundReply, sendOutbound } from '@sextant/foundation-service';
import { type Clock, parseJson, stringifyJson } from '@sextant/foundation-std';
import { EmbeddingFailure, type EmbeddingProvider, type EmbeddingRequest } from './provider.ts';

export type OpenAiOptions = {
  /** Such as `https://api.openai.com/v1`. */
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly models: readonly string[];
  readonly batchMax: number;
  /** For one request to the endpoint, with its repetitions. */
  readonly timeoutMs: number;
};

export type OpenAiSurroundings = { readonly guard: OutboundGuard; readonly clock: Clock };

/** Requests for a model at a time. */
const REQUESTS_MAX = 4;
/** A request that failed in a way that may pass is made so often in all. */
const TRIES_MAX = 3;
const FIRST_PAUSE_MS = 250;
/** A longer pause is the caller's to make. */
const PAUSE_MS_MAX = 5_000;
const DIMENSIONS_MAX = 65_536;
/** What a component takes as JSON, with room for the rest of the answer. */
const BYTES_PER_COMPONENT = 32;
const REPLY_BYTES_MIN = 1_048_576;
const REPLY_BYTES_MAX = 268_435_456;
const EXCERPT_LENGTH = 300;

export function openAiProvider(options: OpenAiOptions, { guard, clock }: OpenAiSurroundings): EmbeddingProvider {
  const { models, batchMax, timeoutMs } = options;
  const url = `${options.url.replace(/\/+$/, '')}/embeddings`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
  };
  const embed = async ({ model, dimensions, texts }: EmbeddingRequest): Promise<readonly Float32Array[]> => {
    const body = stringifyJson({ model, input: texts, encoding_format: 'float', ...(dimensions === undefined ? {} : { dimensions }) });
    const replyBytesMax = Math.min(REPLY_BYTES_MAX, REPLY_BYTES_MIN + texts.length * DIMENSIONS_MAX * BYTES_PER_COMPONENT);
    const endsAtMs = clock.monotonicMs() + timeoutMs;
    for (let tries = 1; ; tries++) {
      const leftMs = Math.max(1, Math.ceil(endsAtMs - clock.monotonicMs()));
      try {
        return vectorsIn(await post({ url, headers, body, timeoutMs: leftMs, replyBytesMax }), texts.length);
      } catch (error) {
        if (!(error instanceof EmbeddingFailure) || !error.isPassing) throw error;
        const pauseMs = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (tries - 1);
        if (tries === TRIES_MAX || pauseMs > PAUSE_MS_MAX || clock.monotonicMs() + pauseMs >= endsAtMs) throw error;
        await new Promise<void>((resolve) => clock.after(pauseMs, resolve));
      }
    }
  };
  const post = async (request: {
    url: string;
    headers: { readonly [name: string]: string };
    body: string;
    timeoutMs: number;
    replyBytesMax: number;
  }) => {
    try {
      return await sendOutbound(guard, { method: 'POST', ...request });
    } catch (cause) {
      // The address is the operator's; callers learn what happened, and not where.
      const reason =
        cause instanceof Error && 'code' in cause
          ? `the endpoint cannot be reached (${String(cause.code)})`
          : 'the endpoint did not answer in time';
      throw new EmbeddingFailure(reason, { isPassing: true, cause });
    }
  };
  return { models, batchMax, requestsMax: REQUESTS_MAX, embed, close: () => guard.close() };
}

function vectorsIn(reply: OutboundReply, count: number): readonly Float32Array[] {
  if (reply.status !== 200) throw refusalOf(reply);
  const data = membersOf(jsonOf(reply.body)).data;
  if (!Array.isArray(data) || data.length !== count) {
    throw strange(`${count} vectors were requested, but the response has ${Array.isArray(data) ? data.length : 'none'}`);
  }
  const vectors = Array.from<Float32Array | undefined>({ length: count });
  for (const [position, item] of data.entries()) {
    const { index = position, embedding } = membersOf(item);
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count || vectors[index] !== undefined)
      throw strange('the response does not say which text each vector belongs to');
    vectors[index] = vectorOf(embedding);
  }
  // As many as there are places, and none twice.
  const all = vectors.filter((vector) => vector !== undefined);
  if (all.some(({ length }) => length !== all[0]?.length)) throw strange('the vectors of the response have different lengths');
  return all;
}

function vectorOf(value: unknown): Float32Array {
  if (!Array.isArray(value) || value.length === 0 || value.length > DIMENSIONS_MAX)
    throw strange('a vector is not an array of 1 to 65536 numbers');
  const vector = Float32Array.from(value, (component: unknown) => (typeof component === 'number' ? component : Number.NaN));
  if (!vector.every(Number.isFinite)) throw strange('a vector has a component that is not a finite 32-bit number');
  return vector;
}

/** What the endpoint answers that is no answer: trying again will not help, and the caller cannot either. */
function strange(reason: string): EmbeddingFailure {
  return new EmbeddingFailure(`the endpoint returned an unexpected response: ${reason}`, {
    isPassing: true,
    retryAfterMs: Number.POSITIVE_INFINITY,
  });
}

function refusalOf({ status, headers, body }: OutboundReply): EmbeddingFailure {
  if (status === 400 || status === 413 || status === 422) {
    return new EmbeddingFailure(`the model's endpoint refused the text with ${status}${sentenceIn(body)}`, { isPassing: false });
  }
  const isOperators = status === 401 || status === 403 || status === 404;
  const reason = isOperators
    ? `the endpoint answered ${status}; the operator has to check its address, key and models`
    : `the endpoint answered ${status}`;
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  const retryAfterMs = isOperators ? Number.POSITIVE_INFINITY : seconds >= 0 ? seconds * 1000 : undefined;
  return new EmbeddingFailure(reason, { isPassing: true, retryAfterMs });
}

/** The endpoint's own words on what is wrong with a text, in one line; no more than a few of them. */
function sentenceIn(body: Uint8Array): string {
  let message: unknown;
  try {
    const { error } = membersOf(jsonOf(body));
    message = typeof error === 'string' ? error : membersOf(error).message;
  } catch {
    return '';
  }
  return typeof message === 'string' ? `: ${message.replaceAll(/\s+/g, ' ').slice(0, EXCERPT_LENGTH)}` : '';
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder().decode(body));
  } catch {
    throw strange('it is not valid JSON');
  }
}

function membersOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
