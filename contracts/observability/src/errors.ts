// SPDX-License-Identifier: Apache-2.0
/**
 * Every error that a caller can act on, with its status and its sentence. `{name}` in a sentence is replaced by the detail of that name.
 * On the wire an error is `{"message": sentence, "description": phrase of the status}`.
 */
import { fillSentence, withStatus } from '@sextant/foundation-std';

const CATALOGUE = {
  ...withStatus({ status: 400 })({
    bad_request: '{reason}',
    not_supported_yet: '{feature} is not supported by this release',
    rule_invalid: 'monitor.expression: {reason} (line {line}, column {column})',
    source_refused: '{reason}',
  }),
  ...withStatus({ status: 401 })({
    unauthorized: 'Invalid or missing credential; send Authorization: Bearer <access token> or X-TLM-Key: <API key>',
    login_failed: 'The e-mail address or the password is wrong',
    refresh_token_invalid: 'The refresh token is unknown, has expired or was used before',
  }),
  ...withStatus({ status: 403 })({
    origin_not_known:
      'A refresh token is put in a cookie for pages of this service and of those that OBSERVABILITY_PUBLIC_URL and OBSERVABILITY_VECTOR_URL name; this request comes from {origin}',
    origin_not_allowed:
      'Web pages of {origin} may not use this service; its operator lists those that may in OBSERVABILITY_ALLOWED_ORIGINS',
    host_not_allowed: 'This service does not answer to the name {host}; its operator lists further names in OBSERVABILITY_ALLOWED_HOSTS',
    no_role: 'You have no role in tenant {tenant}',
    role_too_small: 'This needs the role {needed}; yours is {role}',
    platform_only: 'This is for the operator of the platform',
  }),
  ...withStatus({ status: 404 })({
    tenant_not_found: 'Tenant not found: {tenant}',
    not_found: '{what} not found: {id}',
    path_not_found: 'No such path: {method} {path}',
  }),
  ...withStatus({ status: 405 })({ method_not_allowed: 'Method {method} is not allowed on {path}; allowed: {allowed}' }),
  ...withStatus({ status: 409 })({
    conflict: '{reason}',
    in_use: '{what} {id} is in use by {users}',
  }),
  ...withStatus({ status: 413 })({ body_too_large: 'The body is larger than the limit of {limit} bytes' }),
  ...withStatus({ status: 415 })({ unsupported_media_type: 'The body has {type}; send Content-Type: {expected}' }),
  ...withStatus({ status: 429 })({
    rate_limited: 'Too many attempts; try again in {seconds} s',
    overloaded: 'The server has reached its limit of concurrent work; try again in {seconds} s',
  }),
  ...withStatus({ status: 500 })({ internal: 'Internal error' }),
  ...withStatus({ status: 503 })({
    shutting_down: 'The server is shutting down',
    connections_exhausted:
      'The server has reached its maximum number of connections ({max}, OBSERVABILITY_CONNECTIONS_MAX); try again in {seconds} s',
    store_unavailable: 'The metadata store does not answer',
    uploads_unavailable: 'The store of uploads does not answer; nothing was stored. Try again in {seconds} s',
  }),
  ...withStatus({ status: 507 })({
    disk_full:
      'The disk of the data directory is full ({free} bytes are free, {reserve} are kept in reserve); nothing of this request was written. Reads and deletions continue; writes and scans are accepted again once there is free space',
  }),
} as const;

/** Phrases of the status codes in use (RFC 9110, section 15; RFC 6585 for 429). */
const PHRASES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
} as const satisfies { readonly [status in (typeof CATALOGUE)[keyof typeof CATALOGUE]['status']]: string };

export type ErrorCode = keyof typeof CATALOGUE;

export type ErrorDetails = { readonly [name: string]: string | number };

export type ErrorBody = { readonly message: string; readonly description: string };

/** An error that its reader can act on. The server turns it into a reply in one place. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(fillSentence(CATALOGUE[code].message, details), options);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return CATALOGUE[this.code].status;
  }

  get body(): ErrorBody {
    return { message: this.message, description: PHRASES[CATALOGUE[this.code].status] };
  }

  /** Seconds for the header `Retry-After`, where trying again makes sense. */
  get retryAfterSeconds(): number | undefined {
    return typeof this.details.seconds === 'number' ? this.details.seconds : undefined;
  }
}

/** The catalogue as rows, for the reference page. */
export function errorCatalogue(): readonly { code: string; status: number; description: string; message: string }[] {
  return Object.entries(CATALOGUE).map(([code, { status, message }]) => ({ code, status, description: PHRASES[status], message }));
}
