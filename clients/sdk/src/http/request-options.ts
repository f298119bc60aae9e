// SPDX-License-Identifier: Apache-2.0
/** What one call may say besides its request. */
export type RequestOptions = {
  /** Cancels the call, its waits and its further attempts; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take; 0 for as long as it takes. */
  readonly timeoutMs?: number | undefined;
  /** Further attempts after the first; overrides those of the client. */
  readonly retries?: number | undefined;
  /** Headers of this call, beside those of the client. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Called with the time that the vector service reports for a call; not for calls over gRPC. */
  readonly onServiceTime?: ((milliseconds: number) => void) | undefined;
};
