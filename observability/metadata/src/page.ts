// SPDX-License-Identifier: Apache-2.0
/** How much of a long list an answer holds. */
export type Page = { readonly limit?: number | undefined; readonly offset?: number | undefined };

/** An answer of 10,000 alerts is about 8 MB of JSON. */
const LIMIT_MAX = 10_000;

/** All that fits, unless the page asks for less. */
export function bounded({ limit = LIMIT_MAX, offset = 0 }: Page = {}): { readonly limit: number; readonly offset: number } {
  return { limit: Math.min(limit, LIMIT_MAX), offset };
}
