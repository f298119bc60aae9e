// SPDX-License-Identifier: Apache-2.0
/**
 * The vector service, or a Qdrant server, as its users see it: five operations of the REST interface that both have, with every integer exact. It is spoken
 * through the guard of outgoing connections, which the official client of Qdrant has no place for.
 */
import { type OutboundGuard, OutboundRefusedError, sendOutbound } from '@sextant/foundation-service';
import { parseJson, stringifyJson } from '@sextant/foundation-std';
import {
  type InputNormInterval,
  type NearestPoint,
  type NearestSearch,
  SourceError,
  type VectorCollectionAccess,
  type VectorPoint,
} from '../connector.ts';

export type VectorService = {
  readonly outbound: OutboundGuard;
  /** For sentences. */
  readonly name: string;
  /** The address without a slash at its end. */
  readonly url: string;
  readonly token: string | undefined;
  /** What carries the token. */
  readonly credentialHeader: (token: string) => { readonly [header: string]: string };
};

const REPLY_TIMEOUT_MS = 60_000;
const REPLY_BYTES_MAX = 64 * 1024 ** 2;
const PAGE_POINTS_MAX = 1000;
/** Digits, sign, point, exponent and comma of a component, with room. */
const COMPONENT_BYTES = 16;
/** What the vectors of one page may take; payloads come on top. */
const PAGE_VECTOR_BYTES = 8 * 1024 ** 2;

type Fields = { readonly [field: string]: unknown };

export async function collectionNames(service: VectorService, signal: AbortSignal): Promise<readonly string[]> {
  const { collections } = await call(service, { method: 'GET', path: '/collections', signal });
  if (!Array.isArray(collections)) throw notTheService(service);
  return collections.map((collection: unknown) => text(service, fields(service, collection).name));
}

/** Reads one collection. Its methods throw a `SourceError`. */
export function collectionAccess(service: VectorService, collection: string): VectorCollectionAccess {
  const path = `/collections/${encodeURIComponent(collection)}`;
  const info = async (signal?: AbortSignal) => {
    const result = await call(service, { method: 'GET', path, ...(signal && { signal }) });
    return {
      // Qdrant may not know either.
      points: count(service, result.points_count ?? 0),
      indexed: count(service, result.indexed_vectors_count ?? 0),
      dimensions: dimensionsOf(service, fields(service, fields(service, fields(service, result.config).params).vectors ?? {})),
    };
  };
  return {
    info,
    points: async function* ({ signal }) {
      const { dimensions } = await info(signal);
      const components = Object.values(dimensions).reduce((sum, size) => sum + size, 1);
      const limit = Math.max(1, Math.min(PAGE_POINTS_MAX, Math.floor(PAGE_VECTOR_BYTES / (components * COMPONENT_BYTES))));
      let offset: unknown;
      do {
        const body = { limit, with_payload: true, with_vector: wantedVectors(dimensions), ...(offset !== undefined && { offset }) };
        const page = await call(service, { method: 'POST', path: `${path}/points/scroll`, body, ...(signal && { signal }) });
        if (!Array.isArray(page.points)) throw notTheService(service);
        yield page.points.map((point: unknown) => vectorPoint(service, fields(service, point), dimensions));
        offset = page.next_page_offset ?? undefined;
      } while (offset !== undefined);
    },
    nearest: async (searches, { signal }) => {
      const body = { searches: searches.map(queryOf) };
      const answers = await answered(service, { method: 'POST', path: `${path}/points/query/batch`, body, ...(signal && { signal }) });
      if (!Array.isArray(answers)) throw notTheService(service);
      return answers.map((answer: unknown) => nearestPoints(service, fields(service, answer)));
    },
    inputNorms: async ({ signal }) => {
      const result = await found(call(service, { method: 'GET', path: `${path}/input_norms`, ...(signal && { signal }) }));
      return result && inputNormsOf(service, result);
    },
  };
}

/** Only those that are measured; a collection of one unnamed vector has no name to ask by. */
function wantedVectors(dimensions: { readonly [vector: string]: number }): readonly string[] | boolean {
  const names = Object.keys(dimensions);
  return names.length === 1 && names[0] === '' ? true : names;
}

/** Undefined where the service has no such route: others of its API family do not count the lengths of vectors. */
async function found(answer: Promise<Fields>): Promise<Fields | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof SourceError && error.member === 'payload.collection') return undefined;
    throw error;
  }
}

function inputNormsOf(service: VectorService, result: Fields): { readonly [vector: string]: readonly InputNormInterval[] } {
  return Object.fromEntries(
    Object.entries(fields(service, result.vectors)).map(([name, vector]) => {
      const { intervals } = fields(service, vector);
      if (!Array.isArray(intervals)) throw notTheService(service);
      return [
        name,
        intervals.map((interval: unknown) => {
          const { from, to, written } = fields(service, interval);
          return { from: count(service, from), to: count(service, to), written: count(service, written) };
        }),
      ];
    }),
  );
}

function queryOf({ id, vector, limit, isExact, where }: NearestSearch): Fields {
  return {
    query: /^\d+$/.test(id) ? BigInt(id) : id,
    ...(vector !== '' && { using: vector }),
    limit,
    params: { exact: isExact },
    ...(where && { filter: { must: [{ key: where.member, match: { value: where.value } }] } }),
  };
}

function nearestPoints(service: VectorService, { points }: Fields): readonly NearestPoint[] {
  if (!Array.isArray(points)) throw notTheService(service);
  return points.map((point: unknown) => {
    const { id, score } = fields(service, point);
    return { id: String(id), score: Number(score) };
  });
}

type Call = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: unknown; readonly signal?: AbortSignal };

async function call(service: VectorService, request: Call): Promise<Fields> {
  return fields(service, await answered(service, request));
}

/** The `result` of a reply. */
async function answered(service: VectorService, { method, path, body, signal }: Call): Promise<unknown> {
  const { url, token, credentialHeader } = service;
  const reply = await sendOutbound(service.outbound, {
    url: url + path,
    method,
    headers: { 'content-type': 'application/json', ...(token !== undefined && credentialHeader(token)) },
    ...(body !== undefined && { body: stringifyJson(body) }),
    ...(signal && { signal }),
    timeoutMs: REPLY_TIMEOUT_MS,
    replyBytesMax: REPLY_BYTES_MAX,
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = cause instanceof OutboundRefusedError ? reason : `${url} cannot be reached: ${reason}`;
    throw new SourceError(message, { cause, member: 'payload.url' });
  });
  const { status } = reply;
  if (status === 401 || status === 403) {
    const what = token === undefined ? 'request without a token' : 'token';
    throw new SourceError(`${url} refuses the ${what}`, { member: 'credential', status });
  }
  if (status === 404) throw new SourceError(`${url} has no such collection`, { member: 'payload.collection', status });
  if (status !== 200) throw new SourceError(`${url} answers with status ${status}`, { member: 'payload.url', status });
  return fields(service, parsed(service, reply.body.toString('utf8'))).result;
}

function parsed(service: VectorService, body: string): unknown {
  try {
    return parseJson(body);
  } catch (cause) {
    throw new SourceError(`${service.url} does not answer in JSON`, { cause, member: 'payload.url' });
  }
}

function vectorPoint(
  service: VectorService,
  { id, payload, vector }: Fields,
  dimensions: { readonly [vector: string]: number },
): VectorPoint {
  const named = Array.isArray(vector) ? { '': vector } : fields(service, vector ?? {});
  const measured = Object.entries(named).filter(([name]) => Object.hasOwn(dimensions, name));
  return {
    id: String(id),
    payload: payload === undefined || payload === null ? {} : fields(service, payload),
    vectors: Object.fromEntries(measured.map(([name, of]) => [name, components(service, of, id)])),
  };
}

/** Null is how JSON writes what is no finite number; anything else that is no number is none of a vector, and must not become one. */
function components({ url }: VectorService, vector: unknown, id: unknown): readonly (number | null)[] {
  const refused = () =>
    new SourceError(`${url}: the vector of point ${String(id)} is not a list of numbers`, { member: 'payload.collection' });
  if (!Array.isArray(vector)) throw refused();
  return vector.map((component: unknown) => {
    if (component === null || typeof component === 'number') return component;
    if (typeof component === 'bigint') return Number(component);
    throw refused();
  });
}

/** Of the vectors that are measured: one of numbers for each point, neither sparse ones nor several. The unnamed vector has the empty name. */
function dimensionsOf(service: VectorService, vectors: Fields): { readonly [vector: string]: number } {
  const byName = typeof vectors.size === 'number' ? { '': vectors } : vectors;
  const params = Object.entries(byName).map(([name, vector]) => ({ name, vector: fields(service, vector) }));
  const single = params.filter(({ vector }) => (vector.multivector_config ?? null) === null);
  return Object.fromEntries(single.map(({ name, vector }) => [name, count(service, vector.size)]));
}

function fields(service: VectorService, value: unknown): Fields {
  // Checked: a JSON value that is an object and no array has fields.
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw notTheService(service);
}

function count(service: VectorService, value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  throw notTheService(service);
}

function text(service: VectorService, value: unknown): string {
  if (typeof value === 'string') return value;
  throw notTheService(service);
}

function notTheService({ url, name }: VectorService): SourceError {
  return new SourceError(`${url} does not respond like ${name}`, { member: 'payload.url' });
}
