// SPDX-License-Identifier: Apache-2.0
/** The errors of both clients. A cancelled call rejects with the reason of its `AbortSignal`, like other APIs of the platform. */
import type { observabilityErrors, vectorErrors } from './error-codes.generated.ts';

export type ServiceName = 'vector' | 'observability';

/**
 * The error codes of the services, and those of failures on the way to them. `http_502` and similar codes stand for responses that came
 * from something between client and service.
 */
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

/** The base class of every error of this package. A message contains the service's text and never a credential. */
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

/** The service could not be reached, or the connection broke before the response. */
export class ConnectionError extends SextantError {
  override readonly name = 'ConnectionError';
  /** False if certainly nothing was sent. */
  readonly mayHaveArrived: boolean;

  constructor(message: string, { mayHaveArrived, ...facts }: Omit<ErrorFacts, 'code'> & { readonly mayHaveArrived: boolean }) {
    super(message, { ...facts, code: 'connection_failed' });
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** No response within `timeoutMs`. */
export class TimeoutError extends SextantError {
  override readonly name = 'TimeoutError';
  constructor(message: string, facts: Omit<ErrorFacts, 'code'>) {
    super(message, { ...facts, code: 'timeout' });
  }
}

/** The options of the client or the arguments of a call are invalid. */
export class ConfigurationError extends SextantError {
  override readonly name = 'ConfigurationError';
  constructor(message: string, service: ServiceName) {
    super(message, { code: 'configuration', service });
  }
}

/** The response does not match the contract. */
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

/** The service refused the request. */
export class ApiError extends SextantError {
  override readonly name: string = 'ApiError';
  /** The HTTP status; over gRPC, the status that the same refusal has over HTTP. */
  readonly status: number;
  /** The member of the request that was refused, such as `points[3].vector`. */
  readonly field: string | undefined;
  /** The header `x-request-id` of the response, if a proxy sets it. */
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

/** 400, 413 or 415: the request is invalid. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}

/** 401: the credential is missing or wrong. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 403: the credential does not permit the operation. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}

/** 404: the object of the request does not exist. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409: the object exists already or is in use. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 412: the engine is starting, or the collection is being deleted. */
export class NotReadyError extends ApiError {
  override readonly name = 'NotReadyError';
}

/** 429: too many requests. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 5xx: the service, or a proxy in front of it, failed. */
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

/** The class of errors for an HTTP status. */
export function apiError(message: string, facts: RefusalFacts): ApiError {
  const kind = BY_STATUS[facts.status] ?? (facts.status >= 500 ? ServerError : ApiError);
  return new kind(message, facts);
}
