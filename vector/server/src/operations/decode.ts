/** From raw bytes to what an operation is given: decoded without loss, and let through by the schemas of its endpoint. */
import { collectionNameSchema, type Endpoint, ServiceError, validate } from '@sextant/contracts-vector';
import { parseJson } from '@sextant/foundation-std';
import type { Input, OperationRequest } from './operation.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function decodeInput(endpoint: Endpoint, request: OperationRequest): Input<never> {
  const { params, query, caller, principal } = request;
  if (params.collection_name !== undefined) validate(collectionNameSchema, params.collection_name, 'collection_name');
  if (endpoint.query !== undefined) validate(endpoint.query, query, 'query string');
  // The schemas of this endpoint are where the types of this operation's input come from.
  return { params, body: decodeBody(endpoint, request.body), caller, principal } as unknown as Input<never>;
}

function decodeBody(endpoint: Endpoint, bytes: Uint8Array | undefined): unknown {
  if (endpoint.body === undefined) return undefined;
  if (bytes === undefined || bytes.length === 0) {
    if (endpoint.bodyOptional === true) return undefined;
    refuseMissingMembers(endpoint, {});
    throw new ServiceError('invalid_request', { reason: 'body: a JSON object is required, and the request has none' });
  }
  const body = parseBody(bytes);
  refuseMissingMembers(endpoint, body);
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
