// SPDX-License-Identifier: Apache-2.0
/** The gate of outside data. */
import { refusalOf, type Static } from '@sextant/foundation-contract';
import type { TSchema } from 'typebox';
import { ApiError } from './errors.ts';

/** Lets a value through that fits its schema; throws an `ApiError` (400) that names the member which does not. */
export function validate<S extends TSchema>(schema: S, value: unknown, what: string): asserts value is Static<S> {
  const refusal = refusalOf(schema, value, what);
  if (refusal === undefined) return;
  if (refusal.isNotYet) throw new ApiError('not_supported_yet', { feature: refusal.sentence });
  throw new ApiError('bad_request', { reason: refusal.sentence });
}
