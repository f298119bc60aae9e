// SPDX-License-Identifier: Apache-2.0
/** Turns the answer of a refusal into the error that it means. */
import { observabilityErrors, vectorErrors } from './error-codes.generated.ts';
import { type ErrorRow, errorCode, fieldOf } from './error-codes.ts';
import { type ApiError, apiError, type ServiceName, type SextantErrorCode } from './errors.ts';

export type RefusedAnswer = {
  readonly service: ServiceName;
  readonly operation: string;
  readonly status: number;
  /** As it was parsed; text where it was no JSON. */
  readonly body: unknown;
  readonly header: (name: string) => string | null;
};

const CATALOGUES: { readonly [service in ServiceName]: readonly ErrorRow[] } = { vector: vectorErrors, observability: observabilityErrors };

export function refusalError({ service, operation, status, body, header }: RefusedAnswer): ApiError {
  const said = sentenceIn(body);
  const sentence = said ?? `${operation} failed with status ${status}`;
  return refusalOf({
    service,
    operation,
    status,
    sentence,
    requestId: header('x-request-id') ?? undefined,
    retryAfterSeconds: secondsOf(header('retry-after'), header('date')),
  });
}

export type Refusal = {
  readonly service: ServiceName;
  readonly operation: string;
  readonly status: number;
  readonly sentence: string;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
};

export function refusalOf({ service, operation, status, sentence, requestId, retryAfterSeconds }: Refusal): ApiError {
  // Every code of a catalogue is one of the type's members; an unknown answer has the code `http_<status>`.
  const code = errorCode(CATALOGUES[service], status, sentence) as SextantErrorCode;
  return apiError(sentence, {
    code,
    service,
    operation,
    status,
    field: status === 400 ? fieldOf(sentence) : undefined,
    requestId,
    retryAfterSeconds,
  });
}

/** `{status: {error}}` and `{status: 'error', message}` of the vector service, `{message}` of the other. */
function sentenceIn(body: unknown): string | undefined {
  const { status, message } = (typeof body === 'object' && body !== null ? body : {}) as { status?: unknown; message?: unknown };
  if (typeof status === 'object' && status !== null && 'error' in status && typeof status.error === 'string') return status.error;
  return typeof message === 'string' ? message : undefined;
}

/** Seconds, or a date (RFC 9110, section 10.2.3), which is compared with the server's own clock. */
function secondsOf(retryAfter: string | null, date: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const seconds = (Date.parse(retryAfter) - Date.parse(date ?? '')) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
