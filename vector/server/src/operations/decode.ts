// SPDX-License-Identifier: Apache-2.0
/** From raw bytes to what an operation is given: decoded without loss, and let through by the schemas of its endpoint. */
import { type Endpoint, ServiceError, type UnknownMembers } from '@sextant/contracts-vector';
import { collectionNameSchema, dropUnknownMembers, fits, validate, vectorNameSchema } from '@sextant/contracts-vector/schemas';
import { parseJson } from '@sextant/foundation-std';
import { renameAliases } from './body/member-aliases.ts';
import { cutVectors, putVectorsBack } from './body/vector-cut.ts';
import type { Input, OperationRequest } from './operation.ts';

/** Operations whose bodies are nearly all numbers. */
const CARRIES_VECTORS: ReadonlySet<string> = new Set([
  'search_points',
  'search_batch',
  'query_points',
  'query_batch',
  'upsert_points',
  'update_vectors',
  'batch_update',
]);

const utf8 = new TextDecoder('utf-8', { fatal: true });

export type Decoding = {
  /** May pause the thread for a moment while a large body is read. */
  readonly throttle?: (() => void) | undefined;
  readonly unknownMembers: UnknownMembers;
};

export function decodeInput(endpoint: Endpoint, request: OperationRequest, decoding: Decoding): Input<never> {
  const { operation, params, query, caller, principal } = request;
  checkParams(params);
  if (endpoint.query !== undefined) validate(endpoint.query, query, 'query string');
  const body =
    (CARRIES_VECTORS.has(operation) ? bodyOfVectors(endpoint, request, decoding) : undefined) ?? decodeBody(endpoint, request, decoding);
  // The schemas of this endpoint are where the types of this operation's input come from.
  return { params, query, body, caller, principal } as unknown as Input<never>;
}

/** As `decodeInput`, from a message of the gRPC protocol; the same schemas let it through. */
export async function decodeCall(
  endpoint: Endpoint,
  { body: bytes, caller, principal }: OperationRequest,
  call: string,
): Promise<Input<never>> {
  // Loaded when it is needed first: it is large, and many services never need it.
  const { readCall } = await import('../grpc/messages/calls.ts');
  const { params, body, query } = readCall(call, bytes ?? new Uint8Array(), (input) => {
    checkParams(input.params);
    const mayBeMissing = endpoint.bodyOptional === true && input.body === undefined;
    if (endpoint.body !== undefined && !mayBeMissing) validate(endpoint.body, input.body, 'request');
  });
  return { params, query, body, caller, principal } as unknown as Input<never>;
}

function checkParams(params: OperationRequest['params']): void {
  if (params.collection_name !== undefined) validate(collectionNameSchema, params.collection_name, 'collection_name');
  if (params.vector_name !== undefined) validate(vectorNameSchema, params.vector_name, 'vector_name');
}

/** Undefined where the body is not as it should be, which `decodeBody` finds words for, or has no vectors to speak of. */
function bodyOfVectors(
  { body: schema }: Endpoint,
  { operation, body: bytes }: OperationRequest,
  { throttle, unknownMembers: mode }: Decoding,
): unknown {
  const cut = bytes === undefined ? undefined : cutVectors(bytes, throttle);
  if (cut === undefined || schema === undefined) return undefined;
  try {
    const body = parseBody(cut.rest);
    const passes = fits(schema, body) || (dropUnknownMembers(operation, { schema, body, mode }) && fits(schema, body));
    return passes ? putVectorsBack(body, cut.vectors) : undefined;
  } catch (error) {
    // No JSON, or nested more deeply than the stack.
    if (error instanceof ServiceError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function decodeBody(endpoint: Endpoint, { operation, body: bytes }: OperationRequest, { unknownMembers: mode }: Decoding): unknown {
  if (endpoint.body === undefined) return undefined;
  if (bytes === undefined || bytes.length === 0) {
    if (endpoint.bodyOptional === true) return undefined;
    refuseMissingMembers(endpoint, {});
    if (endpoint.bodyMissing !== undefined) throw new ServiceError(endpoint.bodyMissing);
    throw new ServiceError('invalid_request', { reason: 'body: a JSON object is required, and the request has none' });
  }
  const body = parseBody(bytes);
  renameAliases(operation, body);
  refuseMissingMembers(endpoint, body);
  if (fits(endpoint.body, body)) return body;
  dropUnknownMembers(operation, { schema: endpoint.body, body, mode });
  validate(endpoint.body, body, 'body');
  return body;
}

function parseBody(bytes: Uint8Array): unknown {
  try {
    return parseJson(utf8.decode(bytes));
  } catch (error) {
    // The parser's message has the position; `TextDecoder` throws a TypeError, a parser out of stack a RangeError.
    const reason = error instanceof SyntaxError ? error.message : error instanceof RangeError ? 'nested too deeply' : 'not valid UTF-8';
    throw new ServiceError('invalid_request', { reason: `Format error in JSON body: ${reason}` }, { cause: error });
  }
}

/** The authentication endpoints have a sentence of their own for a member that is missing or null. */
function refuseMissingMembers({ refusal, body }: Endpoint, value: unknown): void {
  if (refusal !== 'message' || typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const { required = [] } = body as { readonly required?: readonly string[] };
  const members = value as { readonly [name: string]: unknown };
  const missing = required.find((name) => members[name] === undefined || members[name] === null);
  if (missing !== undefined) throw new ServiceError('invalid_request', { reason: `Missing required field: ${missing}` });
}
