// SPDX-License-Identifier: Apache-2.0
/** A newer release writes to the same log; to pass over what it wrote would be to lose it. */
export class UnknownFormatError extends Error {
  override readonly name = 'UnknownFormatError';

  constructor(what: string) {
    super(`the log of the cluster has ${what}, which this release does not know; run the same release on every node`);
  }
}
