// SPDX-License-Identifier: Apache-2.0
/** Reads what paths and query strings say in text. */
import { ApiError } from '@sextant/contracts-observability';

/** A numeric id of a path; what is no number is nothing that exists. */
export function numericId(what: string, written: string): number {
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(written)) return Number(written);
  throw new ApiError('not_found', { what, id: written });
}

/** A whole number of a query string whose schema has let it through. */
export function optionalNumber(written: string | undefined): number | undefined {
  return written === undefined ? undefined : Number(written);
}

export function isTrue(written: string | undefined): boolean {
  return written === 'true';
}

/** `limit` and `offset` of a query string, as far as they are given. */
export function pageOf({ limit, offset }: { readonly limit?: string; readonly offset?: string }) {
  return { limit: optionalNumber(limit), offset: optionalNumber(offset) };
}
