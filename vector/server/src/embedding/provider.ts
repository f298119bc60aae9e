// SPDX-License-Identifier: Apache-2.0
/** Where vectors of texts come from: somebody else's service, or a model in a folder. */

export type EmbeddingRequest = {
  readonly model: string;
  /** Components that the vectors shall have, where the model can make shorter ones. */
  readonly dimensions?: number;
  readonly texts: readonly string[];
};

export interface EmbeddingProvider {
  /** The names under which callers ask for its models. */
  readonly models: readonly string[];
  /** Texts of one request. */
  readonly batchMax: number;
  /** Requests for one model at a time. */
  readonly requestsMax: number;
  /**
   * One vector for each text, in their order.
   * @throws EmbeddingFailure
   */
  embed(request: EmbeddingRequest): Promise<readonly Float32Array[]>;
  close(): void | Promise<void>;
}

/** What a provider cannot do, in words for the caller. */
export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure';
  /** Whether another try may succeed; else it is the text or the option that is wrong. */
  readonly isPassing: boolean;
  /** How long the provider asks to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, { isPassing, retryAfterMs, cause }: FailureOptions) {
    super(reason, { cause });
    this.isPassing = isPassing;
    this.retryAfterMs = retryAfterMs;
  }
}

type FailureOptions = { readonly isPassing: boolean; readonly retryAfterMs?: number | undefined; readonly cause?: unknown };
