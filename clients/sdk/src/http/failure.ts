// SPDX-License-Identifier: Apache-2.0
/** Why a connection failed, as far as the platform tells. */

/** Failures before anything was sent, by the codes of Node; a browser does not tell. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

type Cause = { readonly code?: unknown; readonly cause?: Cause; readonly errors?: readonly Cause[] };

export function failureOf(error: unknown): { readonly reason: string; readonly isCertain: boolean } {
  const code = codeIn((error as Cause).cause);
  return code === undefined ? { reason: '', isCertain: false } : { reason: ` (${code})`, isCertain: NEVER_SENT.has(code) };
}

/** Of the cause, of its own cause, or of the first of several attempts. */
function codeIn(cause: Cause | undefined): string | undefined {
  if (cause === undefined || cause === null) return undefined;
  return typeof cause.code === 'string' ? cause.code : (codeIn(cause.errors?.[0]) ?? codeIn(cause.cause));
}
