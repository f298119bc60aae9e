// SPDX-License-Identifier: Apache-2.0
/** Refusals in the words of gRPC. */
import { type ServiceError as GrpcError, Metadata, status } from '@grpc/grpc-js';
import { ServiceError } from '@sextant/contracts-vector';
import { parseJson } from '@sextant/foundation-std';
import type { OperationReply } from '../operations/operation.ts';

/** What a handler returns in place of an answer. */
export type Refusal = Pick<GrpcError, 'code' | 'details' | 'metadata'>;

export function refusalOf(error: ServiceError): Refusal {
  const metadata = new Metadata();
  if (error.details.seconds !== undefined) metadata.set('retry-after', String(error.details.seconds));
  return { code: codeOf(error), details: error.message, metadata };
}

/** Of an operation that refused, possibly on another thread; undefined for an answer. */
export function refusalIn({ error, body, headers }: OperationReply): Refusal | undefined {
  if (error === undefined) return undefined;
  const metadata = new Metadata();
  const retryAfter = headers?.['retry-after'];
  if (retryAfter !== undefined) metadata.set('retry-after', retryAfter);
  return { code: codeOf(new ServiceError(error)), details: sentenceIn(body), metadata };
}

function codeOf({ grpcStatus }: ServiceError): status {
  // The catalogue of errors names its statuses as the library does.
  return status[grpcStatus as keyof typeof status];
}

/** Refusals of operations have the envelope of REST. */
function sentenceIn(body: string): string {
  const { status: envelope } = parseJson(body) as { readonly status: { readonly error: string } };
  return envelope.error;
}
