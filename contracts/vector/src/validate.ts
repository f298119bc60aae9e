// SPDX-License-Identifier: Apache-2.0
/** The gate of outside data. */
import { refusalOf } from '@sextant/foundation-contract';
import type { TSchema } from 'typebox';
import { ServiceError } from './errors.ts';

/** Lets a value through that fits its schema; throws a `ServiceError` that names the member which does not. */
export function validate(schema: TSchema, value: unknown, what: string): void {
  const refusal = refusalOf(schema, value, what);
  if (refusal === undefined) return;
  if (refusal.isNotYet) throw new ServiceError('not_supported_yet', { feature: refusal.sentence });
  throw new ServiceError('invalid_request', { reason: refusal.sentence });
}
