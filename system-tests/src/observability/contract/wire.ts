// SPDX-License-Identifier: Apache-2.0
/** Requests as the specification writes them: literal paths, literal bodies, and the whole reply. */
import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import type { ChildServer, JsonReply } from '@sextant/foundation-testing';
import type { Headers } from '../observability-api.ts';

export type Wire = {
  readonly get: (path: string) => Promise<JsonReply>;
  readonly post: (path: string, body?: unknown) => Promise<JsonReply>;
  readonly put: (path: string, body?: unknown) => Promise<JsonReply>;
  readonly delete: (path: string) => Promise<JsonReply>;
};

/** The tenant `default` of a path stands for `tenant`. */
export function wire({ client }: Pick<ChildServer, 'client'>, headers: Headers, tenant = 'default'): Wire {
  const send = (method: string) => (path: string, body?: unknown) =>
    client.request(method, path.replace('/default/', `/${tenant}/`), body, { headers });
  return { get: send('GET'), post: send('POST'), put: send('PUT'), delete: send('DELETE') };
}

/** The body of an accepted request. Its type is the caller's word, without a look: the tests compare the values anyway. */
export function bodyOf<Body>({ status, body }: JsonReply): Body {
  strictEqual(status, 200, JSON.stringify(body));
  return body as Body;
}

const PHRASES = { 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 409: 'Conflict' } as const;

/** Every refusal has this form: a sentence for the caller, and the phrase of the status. */
export function assertRefused({ status, body }: JsonReply, expected: keyof typeof PHRASES, sentence: RegExp): void {
  // The comparison fails for any other form.
  const { message, ...rest } = body as { readonly message: string };
  deepStrictEqual({ status, ...rest }, { status: expected, description: PHRASES[expected] }, `${status}: ${message}`);
  match(message, sentence);
}

export const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
