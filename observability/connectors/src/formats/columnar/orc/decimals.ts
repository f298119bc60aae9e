// SPDX-License-Identifier: Apache-2.0
/** Decimals, each with a scale of its own: https://orc.apache.org/specification/ORCv1/#decimal-columns */
import { type ColumnType, DECIMAL_DIGITS_MAX } from '../table.ts';
import { longVarint, unzigzag } from './integer.ts';
import type { IntegerRuns } from './integer-runs.ts';
import { damagedOrc } from './message.ts';
import type { OrcStream } from './stream.ts';

/** 38 digits and a sign are 128 bits, and a varint has seven in a byte. */
const BYTES_MAX = 19;

/** As integers of the scale of the column, exactly. */
export function decimalReader(
  stream: OrcStream,
  scales: IntegerRuns,
  { precision, scale }: Extract<ColumnType, { readonly kind: 'decimal' }>,
): () => bigint {
  const end = 10n ** BigInt(precision);
  return () => {
    const value = scaled(BigInt(unzigzag(longVarint(stream, BYTES_MAX))), scale - Number(scales.next()));
    if (value >= end || value <= -end) throw damagedOrc();
    return value;
  };
}

function scaled(value: bigint, digits: number): bigint {
  if (Math.abs(digits) > DECIMAL_DIGITS_MAX) throw damagedOrc();
  if (digits >= 0) return value * 10n ** BigInt(digits);
  const factor = 10n ** BigInt(-digits);
  if (value % factor !== 0n) throw damagedOrc();
  return value / factor;
}
