// SPDX-License-Identifier: Apache-2.0
/** Everything that goes wrong, answered in the one body of errors. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@sextant/contracts-observability';
import { type ConnectionCap, type DiskRoom, isDiskFullError } from '@sextant/foundation-service';
import { refuseUnreadable, type WebRefusal } from '@sextant/foundation-service/http';
import { SourceError } from '@sextant/observability-connectors';
import { MetadataConflict, MetadataMissing, MetadataRefused } from '@sextant/observability-metadata';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceFacts } from './service-handlers.ts';

type Write = (details: object, message: string) => void;

export type FailureLog = { readonly error: Write; readonly warn: Write };

export type Refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

type Surroundings = { readonly log: FailureLog; readonly bodyLimitBytes: number; readonly disk: DiskRoom };

export function createRefuser({ log, bodyLimitBytes, disk }: Surroundings): Refuse {
  return (error, request, reply) => {
    const answer = diskFault(error, disk) ?? toClientError(error, bodyLimitBytes) ?? unforeseen(error, request, log);
    request.refusedWith = answer.code;
    void reply.code(answer.status).headers(headersOf(answer)).type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
  };
}

export function pathNotFound({ method, url }: FastifyRequest): ApiError {
  const [path = ''] = url.split('?');
  return new ApiError('path_not_found', { method, path: path.slice(0, 300) });
}

/** What the gate does not let in, before any route is found. */
export function refuseAtGate(facts: ServiceFacts) {
  return ({ code, details }: WebRefusal, { method = '' }: IncomingMessage, response: ServerResponse): void => {
    const { status, body } = new ApiError(code, details);
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' };
    response.writeHead(status, headers).end(JSON.stringify(body));
    facts.observe({ endpoint: 'unknown', method, status, seconds: 0 });
  };
}

/** Whatever failed because the disk is full, however deep below. */
function diskFault(error: unknown, disk: DiskRoom): ApiError | undefined {
  if (!isDiskFullError(error)) return undefined;
  disk.noteRefusal();
  return diskFull(disk, error);
}

export function diskFull(disk: DiskRoom, cause?: unknown): ApiError {
  const { free, reserve } = disk.figures;
  return new ApiError('disk_full', { free, reserve }, { cause });
}

/** The body for a connection beyond the cap. */
export function refusedConnection({ max }: ConnectionCap): (seconds: number) => object {
  return (seconds) => new ApiError('connections_exhausted', { max, seconds }).body;
}

/** What the caller can act on; undefined where only we can. */
function toClientError(error: unknown, bodyLimitBytes: number): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof MetadataMissing) return new ApiError('not_found', { what: capitalised(error.kind), id: error.id }, { cause: error });
  if (error instanceof MetadataConflict) return new ApiError('conflict', { reason: error.message }, { cause: error });
  if (error instanceof MetadataRefused) return new ApiError('bad_request', { reason: error.message }, { cause: error });
  if (error instanceof SourceError) return new ApiError('source_refused', { reason: sentenceOf(error) }, { cause: error });
  return isFrameworkRefusal(error) ? frameworkRefusal(error, bodyLimitBytes) : undefined;
}

/** With the member at fault before it, as refusals of bodies have it. */
function sentenceOf({ member, message }: SourceError): string {
  return member === undefined || message.startsWith(member) ? message : `${member}: ${message}`;
}

function isFrameworkRefusal(error: unknown): error is FastifyError {
  const isCoded = error instanceof Error && 'code' in error && 'statusCode' in error && typeof error.statusCode === 'number';
  return isCoded && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500;
}

/** The framework's own refusals, of a path that cannot be decoded or a length that does not fit, are the caller's. */
function frameworkRefusal(error: FastifyError, bodyLimitBytes: number): ApiError {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('body_too_large', { limit: bodyLimitBytes }, { cause: error });
  if (error.statusCode === 415) {
    const details = { type: 'a content type that is none', expected: 'a media type such as application/json' };
    return new ApiError('unsupported_media_type', details, { cause: error });
  }
  return new ApiError('bad_request', { reason: error.message }, { cause: error });
}

function unforeseen(error: unknown, request: FastifyRequest, log: FailureLog): ApiError {
  log.error({ err: error, route: request.routeOptions?.url, method: request.method }, 'a request failed');
  return new ApiError('internal', {}, { cause: error });
}

function headersOf(error: ApiError): { readonly [name: string]: string } {
  const { code, details, retryAfterSeconds, status } = error;
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  if (code === 'method_not_allowed') return { allow: String(details.allowed) };
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** On the bare socket: a request that no route ever sees. */
export const refuseUnreadableRequest = refuseUnreadable(({ status, reason }) => ({ message: reason, description: status.slice(4) }));
