// SPDX-License-Identifier: Apache-2.0
/** Values inside nested ones, which are JSON text as a whole: those that JSON has no type for are the text that SQL writes of them. */
import type { JsonValue } from '@sextant/foundation-std';
import type { ColumnType, StoredValue } from './table.ts';

const MS_PER_DAY = 86_400_000;
const US_PER_S = 1_000_000n;
const DIGITS = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

export function jsonScalar(value: StoredValue, type: ColumnType): JsonValue {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value === 'number' && type.kind === 'date') return new Date(value * MS_PER_DAY).toISOString().slice(0, 10);
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value !== 'bigint') return value;
  switch (type.kind) {
    case 'decimal':
      return decimalText(value, type.scale);
    case 'time':
      return `${new Date(Number(value / US_PER_S) * 1000).toISOString().slice(11, 19)}.${String(value % US_PER_S).padStart(6, '0')}`;
    case 'timestamp':
      return timestampText(value, type);
    default:
      return value;
  }
}

function decimalText(unscaled: bigint, scale: number): string {
  if (scale === 0) return String(unscaled);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function timestampText(value: bigint, { unit, isUtc }: Extract<ColumnType, { readonly kind: 'timestamp' }>): string {
  const perSecond = 10n ** BigInt(DIGITS[unit]);
  const rest = ((value % perSecond) + perSecond) % perSecond;
  const second = new Date(Number((value - rest) / perSecond) * 1000);
  // Beyond the years of a date it stays the number.
  if (Number.isNaN(second.getTime())) return String(value);
  return `${second.toISOString().slice(0, -5).replace('T', ' ')}.${String(rest).padStart(DIGITS[unit], '0')}${isUtc ? '+00' : ''}`;
}
