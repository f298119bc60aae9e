// SPDX-License-Identifier: Apache-2.0
/** What can go wrong, for both services. A cancelled call rejects with the reason of its `AbortSignal`, as everything else on the platform does. */
import type { observabilityErrors, vectorErrors } from './error-codes.generated.ts';

export type ServiceName = 'vector' | 'observability';

/** Codes of the services' catalogues, and those of the way there. `http_502` and the like are answers that no service of ours gave. */
export type SextantErrorCode =
  | (typeof vectorErrors)[number]['code']
  | (typeof observabilityErrors)[number]['code']
  | 'connection_failed'
  | 'timeout'
  | 'unexpected_answer'
  | 'configuration'
  | `http_${number}`;

export type ErrorFacts = {
  readonly code: SextantErrorCode;
  readonly service: ServiceName;
  /** Such as `PUT /collections/{collection_name}/points`. */
  readonly operation?: string | undefined;
  readonly cause?: unknown;
};

/** The base of every error of this package. Messages hold what the service said, and never a credential. */
export class SextantError extends Error {
  override readonly name: string = 'SextantError';
  readonly code: SextantErrorCode;
  readonly service: ServiceName;
  readonly operation: string | undefined;

  constructor(message: string, { code, service, operation, cause }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.service = service;
    this.operation = operation;
  }
}

/** The service was not reached, or the line broke before its answer. */
export class ConnectionError extends SextantError {
  override readonly name = 'ConnectionError';
  /** False where it is certain that nothing was sent. */
  readonly mayHaveArrived: boolean;

  constructor(message: string, { mayHaveArrived, ...facts }: Omit<ErrorFacts, 'code'> & { readonly mayHaveArrived: boolean }) {
    super(message, { ...facts, code: 'connection_failed' });
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** No answer within `timeoutMs`. */
export class TimeoutError extends SextantError {
  override readonly name = 'TimeoutError';
  constructor(message: string, facts: Omit<ErrorFacts, 'code'>) {
    super(message, { ...facts, code: 'timeout' });
  }
}

/** The client was made or called in a way that cannot work. */
export class ConfigurationError extends SextantError {
  override readonly name = 'ConfigurationError';
  constructor(message: string, service: ServiceName) {
    super(message, { code: 'configuration', service });
  }
}

/** The answer is not what the contract says. */
export class UnexpectedAnswerError extends SextantError {
  override readonly name = 'UnexpectedAnswerError';
  constructor(message: string, facts: Omit<ErrorFacts, 'code'>) {
    super(message, { ...facts, code: 'unexpected_answer' });
  }
}

export type RefusalFacts = ErrorFacts & {
  readonly status: number;
  readonly field?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
};

/** The service answered with a refusal. */
export class ApiError extends SextantError {
  override readonly name: string = 'ApiError';
  /** Of HTTP; over gRPC, the one that the same refusal has over HTTP. */
  readonly status: number;
  /** The member that the refusal is about, such as `points[3].vector`. */
  readonly field: string | undefined;
  /** Of the header `x-request-id` of the answer, where something on the way sets it. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts: RefusalFacts) {
    super(message, facts);
    this.status = facts.status;
    this.field = facts.field;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** 400, 413 or 415: the request has to be another one. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}

/** 401: no credential, or a wrong one. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 403: the credential does not allow it. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}

/** 404: what the request is about is not there. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409: it is there already, or in use. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 412: the engine is starting, or the collection is being deleted. */
export class NotReadyError extends ApiError {
  override readonly name = 'NotReadyError';
}

/** 429: too much at a time. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 5xx: the service, or something before it, could not. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

const BY_STATUS: { readonly [status: number]: typeof ApiError } = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: NotReadyError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  429: RateLimitError,
};

/** The class that says what kind of refusal a status is. */
export function apiError(message: string, facts: RefusalFacts): ApiError {
  const kind = BY_STATUS[facts.status] ?? (facts.status >= 500 ? ServerError : ApiError);
  return new kind(message, facts);
}
