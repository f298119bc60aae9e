// SPDX-License-Identifier: Apache-2.0
/** From what a request says in bytes and text to what an operation is given, let through by the schemas of its endpoint. */
import { ApiError, type Endpoint, readParameters, validate } from '@sextant/contracts-observability';
import { parseJson } from '@sextant/foundation-std';
import type { FastifyRequest } from 'fastify';

type Texts = { readonly [name: string]: string };

const FORM = 'application/x-www-form-urlencoded';
const utf8 = new TextDecoder('utf-8', { fatal: true });

export type DecodedInput = { readonly query: unknown; readonly body: unknown };

export function decodeInput(endpoint: Endpoint, request: FastifyRequest): DecodedInput {
  const query = queryOf(request.query);
  if (endpoint.bodyKind === 'parameters') {
    const parameters = readParameters(query, parametersIn(request));
    if (endpoint.body !== undefined) validate(endpoint.body, parameters, 'parameters');
    return { query: undefined, body: parameters };
  }
  const body = endpoint.bodyKind === 'stream' ? undefined : jsonBody(endpoint, request);
  return { query: checkedQuery(endpoint, query), body };
}

function checkedQuery(endpoint: Endpoint, query: Texts): Texts | undefined {
  if (endpoint.query === undefined) return undefined;
  validate(endpoint.query, query, 'query string');
  return query;
}

function jsonBody(endpoint: Endpoint, request: FastifyRequest): unknown {
  if (endpoint.body === undefined) return undefined;
  const bytes = bytesOf(request);
  if (bytes === undefined) {
    if (endpoint.bodyOptional === true) return undefined;
    throw new ApiError('bad_request', { reason: 'body: a JSON object is required, and the request has none' });
  }
  requireType(request, isJson, 'application/json');
  const body = parseBody(bytes);
  validate(endpoint.body, body, 'body');
  return body;
}

/** The body as parameters: a form, or a JSON object; it may be empty. */
function parametersIn(request: FastifyRequest): object {
  const bytes = bytesOf(request);
  if (bytes === undefined) return {};
  const type = mediaTypeOf(request);
  if (type === FORM) return Object.fromEntries(new URLSearchParams(decode(bytes)));
  requireType(request, isJson, `application/json or ${FORM}`);
  const body = parseBody(bytes);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new ApiError('bad_request', { reason: 'body: expected an object' });
}

function bytesOf({ body }: FastifyRequest): Uint8Array | undefined {
  return body instanceof Uint8Array && body.length > 0 ? body : undefined;
}

function requireType(request: FastifyRequest, fits: (type: string) => boolean, expected: string): void {
  const type = mediaTypeOf(request);
  if (type !== undefined && fits(type)) return;
  throw new ApiError('unsupported_media_type', {
    type: type === undefined ? 'no content type' : `the content type ${type.slice(0, 100)}`,
    expected,
  });
}

function mediaTypeOf({ headers }: FastifyRequest): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase();
}

function isJson(type: string): boolean {
  return /^application\/(?:json|[\w.-]+\+json)$/.test(type);
}

function parseBody(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  try {
    return parseJson(text);
  } catch (error) {
    // The parser's message has the position; a parser out of stack throws a RangeError.
    const reason = error instanceof SyntaxError ? error.message : 'nested too deeply';
    throw new ApiError('bad_request', { reason: `body: not valid JSON: ${reason}` }, { cause: error });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new ApiError('bad_request', { reason: 'body: not valid UTF-8' }, { cause: error });
  }
}

/** The members of a query string; of one that is given several times, the last. */
function queryOf(query: unknown): Texts {
  // The router gives text, or an array of it, for each member.
  const members = Object.entries(query as { readonly [name: string]: string | readonly string[] });
  return Object.fromEntries(members.map(([name, value]) => [name, typeof value === 'string' ? value : (value.at(-1) ?? '')]));
}
