// SPDX-License-Identifier: Apache-2.0
/** Envelopes: how answers and refusals are wrapped. */
import type { Endpoint, Refusal, ServiceError, UpdateResult } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import { stringifyJson } from '@sextant/foundation-std';
import type { AuthReply } from '../auth/auth.ts';
import { ACCEPTED } from '../snapshots/or-later.ts';
import type { OperationReply } from './operation.ts';
import { pacedJson } from './paced.ts';

/** @param seconds of processing, for the envelopes that say so */
export async function successReply(endpoint: Endpoint, result: unknown, seconds: number): Promise<OperationReply> {
  if (endpoint.tag === 'Authentication') return authReply(result as AuthReply);
  if (result === ACCEPTED) return { status: 202, body: `{"usage":{"hardware":null},"time":${seconds},"status":"accepted"}` };
  return { status: 200, body: `{"usage":{"hardware":null},"time":${seconds},"status":"ok","result":${await pacedJson(result)}}` };
}

const { result: updateResult } = endpoints.upsert_points;
const { result: updateResults } = endpoints.batch_update;

/** A result as it is, unless its endpoint answers the status of writes. */
export function withLowercaseStatus({ result: schema }: Endpoint, result: unknown): unknown {
  if (schema === updateResult) return lowercase(result as UpdateResult);
  return schema === updateResults ? (result as readonly UpdateResult[]).map(lowercase) : result;
}

function lowercase(result: UpdateResult): UpdateResult {
  return { ...result, status: 'completed' };
}

export function errorReply(error: ServiceError, refusal: Refusal, seconds: number): OperationReply {
  const body = refusal === 'message' ? { status: 'error', message: error.message } : { time: seconds, status: { error: error.message } };
  return { status: error.restStatus, body: JSON.stringify(body), headers: headersOf(error), error: error.code };
}

/** The administration words its answers whole, status and headers included. */
function authReply({ status, body, headers }: AuthReply): OperationReply {
  return { status, body: stringifyJson(body), ...(headers === undefined ? {} : { headers }) };
}

function headersOf({ code, details }: ServiceError): { readonly [name: string]: string } {
  switch (code) {
    case 'unauthorized':
      return { 'www-authenticate': 'Bearer' };
    case 'rate_limited':
    case 'rate_limit_exceeded':
    case 'overloaded':
    case 'snapshots_busy':
    case 'connections_exhausted':
    case 'descriptors_exhausted':
    case 'collections_in_use':
    case 'embedding_unavailable':
      // What is more than a whole minute takes is not worth another try.
      return details.seconds === undefined ? {} : { 'retry-after': String(details.seconds) };
    case 'engine_not_initialized':
      return { 'retry-after': '1' };
    case 'standalone_mode':
    case 'method_not_allowed':
      return { allow: String(details.allowed) };
    default:
      return {};
  }
}
