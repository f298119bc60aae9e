// SPDX-License-Identifier: Apache-2.0
/** What one row of the endpoint table says. */
import type { TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What a caller needs. `read`, `write` and `admin` are permissions, required while enforcement is on. The others hold for one endpoint
 * or one family each: the admin's own JWT in both states of the switch; `admin` and enforcement on; a caller on the server's machine.
 */
export type Requirement = 'none' | 'read' | 'write' | 'admin' | 'admin_jwt' | 'tokens' | 'create_admin' | 'reset_password';

/**
 * How an answer is wrapped: `result` in `{usage, time, status, result}`, `auth` as `{status, message}` or an object of its own,
 * `bare` as it is, `text` as plain text, `file` as a file of bytes.
 */
export type Envelope = 'result' | 'auth' | 'bare' | 'text' | 'file';

/** How a refusal is wrapped: `{time, status: {error}}`, or `{status: 'error', message}` as the authentication endpoints do. */
export type Refusal = 'envelope' | 'message';

/** The thread that runs an operation: reads on the one that got the request, everything that changes state on the writer. */
export type OperationThread = 'serving' | 'writer';

/** A group of endpoints that is off until an operator switches it on. */
export type CapabilityName = 'aliases' | 'snapshots' | 'recovery' | 'maintenance' | 'status' | 'groups' | 'recommendations' | 'discovery';

export type Endpoint = {
  /** The group that it belongs to; an endpoint without one is always there. */
  readonly capability?: CapabilityName;
  readonly method: Method;
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly needs: Requirement;
  readonly envelope: Envelope;
  readonly refusal: Refusal;
  readonly thread: OperationThread;
  readonly body?: TSchema;
  /** Whether the body may be left out. */
  readonly bodyOptional?: boolean;
  /** How a request without its body is refused, where the specification has words for that. */
  readonly bodyMissing?: ErrorCode;
  /** The part of a form that is uploaded in place of a body of JSON; `body` is then what the server makes of it. */
  readonly upload?: string;
  /** Members of the query string, each as text; without it, any query string is ignored. */
  readonly query?: TSchema;
  readonly result: TSchema;
  /** The type of an answer in plain text, where it is another. */
  readonly media?: 'text/html';
  /** Whether a caller who does not wait is answered 202 without a result. */
  readonly mayBeAccepted?: boolean;
  /** What a caller can run into, beyond what follows from what the endpoint needs and reads (`errorsOf`). */
  readonly errors?: readonly ErrorCode[];
  /** Answers that are not wrapped as `refusal` says, by status. */
  readonly refusals?: {
    readonly [status: number]: { readonly description: string; readonly schema: TSchema; readonly media?: 'text/plain' };
  };
  /** What an unforeseen failure is called. */
  readonly failure: ErrorCode;
};
