// SPDX-License-Identifier: Apache-2.0
/** An attempt that did not arrive; the message is fit for the user whose receiver it is. */
export class DeliveryFailure extends Error {
  override readonly name: string = 'DeliveryFailure';
  /** Another attempt would meet the same refusal. */
  readonly isPermanent: boolean;
  /** How long the receiver asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { readonly isPermanent?: boolean; readonly retryAfterMs?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.isPermanent = options.isPermanent ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}
