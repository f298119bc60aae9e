// SPDX-License-Identifier: Apache-2.0
/** Options of one call. */
export type RequestOptions = {
  /** Cancels the call and its retries; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one attempt in milliseconds; 0 means none. */
  readonly timeoutMs?: number | undefined;
  /** Retries after the first attempt; overrides the client's policy. */
  readonly retries?: number | undefined;
  /** Headers of this call, in addition to the client's. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Called with the time in seconds that the vector service reports for a call; not called for gRPC. */
  readonly onServiceTime?: ((milliseconds: number) => void) | undefined;
};
