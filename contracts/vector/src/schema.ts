// SPDX-License-Identifier: Apache-2.0
/** Schemas of the vector service's own building blocks. Integers beyond 2^53 arrive as `bigint` (`parseJson`), hence the `bigint` branches. */
import { maybe, oneOf } from '@sextant/foundation-contract';
import Type from 'typebox';
import { UINT64_MAX } from './point-id-forms.ts';

export const FLOAT32_MAX = 3.4028234663852886e38;
const INT64_MIN = -9_223_372_036_854_775_808n;

/** Accepted because clients of this API family send it; this server has nothing to do with it. */
export const accepted = Type.Unknown({ description: 'Accepted for compatibility; has no effect on a single node.' });

/** Where an index or codes are kept. It is stored and returned; here they are in memory while the service runs. */
export const memory = maybe(oneOf('cold', 'cached', 'pinned'));

/** Where vectors or payloads are kept: `cold` on disk, `cached` in memory. No storage is pinned. */
export const storageMemory = maybe(
  Type.Unsafe<'cold' | 'cached'>(
    Type.Enum(['cold', 'cached'], { 'x-expected': "'cold' or 'cached' (vectors and payloads cannot be pinned)" }),
  ),
);

/** A signed or unsigned 64-bit integer, exact. */
export const integer64 = Type.Unsafe<number | bigint>(
  Type.Union([
    Type.Integer({ 'x-written': Type.Unsafe({ type: 'integer', format: 'int64', minimum: INT64_MIN, exclusiveMaximum: UINT64_MAX + 1n }) }),
    Type.Refine(
      Type.BigInt(),
      (value: bigint) => value >= INT64_MIN && value <= UINT64_MAX,
      () => 'expected a 64-bit integer',
    ),
  ]),
);
