// SPDX-License-Identifier: Apache-2.0
/** The schema of point ids. */
import Type from 'typebox';
import { UINT64, UINT64_MAX, UUID_PATTERN } from './point-id-forms.ts';
import type { PointId } from './points.ts';

export const pointIdSchema = Type.Unsafe<PointId>(
  Type.Union(
    [
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, 'x-written': Type.Unsafe(UINT64) }),
      Type.Refine(
        Type.BigInt(),
        (id: bigint) => id >= 0n && id <= UINT64_MAX,
        () => 'expected an integer from 0 to 18446744073709551615',
      ),
      Type.String({ pattern: UUID_PATTERN, 'x-expected': 'a UUID' }),
    ],
    {
      title: 'PointId',
      'x-expected': 'a point id (an integer from 0 to 18446744073709551615, or a UUID)',
      'x-plural': 'point ids (an integer from 0 to 18446744073709551615, or a UUID)',
    },
  ),
);
