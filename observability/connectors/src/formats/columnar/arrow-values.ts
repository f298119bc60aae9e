// SPDX-License-Identifier: Apache-2.0
/**
 * Reads values out of the buffers of a record batch. The library takes what the file says of lengths and offsets as it is; here each is compared
 * with the bytes that are there, so that a damaged file fails and is never read as other values.
 */

import { type JsonValue, stringifyJson } from '@sextant/foundation-std';
import { type Data, DataType, type Decimal, TimeUnit } from 'apache-arrow';
import { isDateInMilliseconds, isNested, typeOfField } from './arrow-types.ts';
import { jsonScalar } from './json-scalar.ts';
import { type StoredValue, TableError, textOf } from './table.ts';

/** The value of a row, of a column that is no null there. */
type ValueAt = (row: number) => StoredValue;

const MS_PER_DAY = 86_400_000n;
const SECOND = 1000n;
/** Microseconds of the units of a time. */
const TIME_FACTORS = {
  [TimeUnit.SECOND]: 1_000_000n,
  [TimeUnit.MILLISECOND]: 1000n,
  [TimeUnit.MICROSECOND]: 1n,
  [TimeUnit.NANOSECOND]: 1n,
};
const NS_PER_US = 1000n;

export function valuesOf(data: Data): ValueAt {
  return isNested(data.type) ? jsonOf(data) : withNulls(data, scalarsOf(data));
}

function withNulls(data: Data, value: ValueAt): ValueAt {
  const { nullBitmap, offset, length, nullCount } = data;
  if (nullCount === 0) return value;
  if (nullBitmap === undefined || nullBitmap.byteLength * 8 < offset + length) throw damaged();
  return (row) => (isSet(nullBitmap, offset + row) ? value(row) : null);
}

function scalarsOf(data: Data): ValueAt {
  const { type, values, length, offset } = data;
  if (DataType.isNull(type)) return () => null;
  if (DataType.isDictionary(type)) return dictionaryValues(data);
  if (DataType.isBool(type)) {
    need(values, Math.ceil((offset + length) / 8));
    return (row) => isSet(values, offset + row);
  }
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
    const bytes = sliced(data);
    return (row) => textOf(bytes(row));
  }
  if (DataType.isBinary(type) || DataType.isLargeBinary(type)) return sliced(data);
  if (DataType.isUtf8View(type)) {
    const bytes = viewed(data);
    return (row) => textOf(bytes(row));
  }
  if (DataType.isBinaryView(type)) return viewed(data);
  if (DataType.isFixedSizeBinary(type)) {
    const width = type.byteWidth;
    need(values, length * width);
    return (row) => values.subarray(row * width, (row + 1) * width);
  }
  if (DataType.isDecimal(type)) return decimalsOf(data, type);
  return numbersOf(data);
}

function numbersOf({ type, values, length }: Data): ValueAt {
  need(values, length);
  const integer = (row: number): bigint => BigInt(values[row]);
  if (DataType.isFloat(type) && type.precision === 0) {
    const halves = new Float16Array(values.buffer, values.byteOffset, length);
    return (row) => halves[row] ?? null;
  }
  if (isDateInMilliseconds(type)) return (row) => Number(floorDivide(integer(row), MS_PER_DAY));
  if (DataType.isTimestamp(type) && type.unit === TimeUnit.SECOND) return (row) => integer(row) * SECOND;
  if (DataType.isTime(type)) {
    const factor = TIME_FACTORS[type.unit];
    return type.unit === TimeUnit.NANOSECOND ? (row) => integer(row) / NS_PER_US : (row) => integer(row) * factor;
  }
  switch (typeOfField({ name: '', type }).kind) {
    case 'int64':
    case 'uint64':
    case 'timestamp':
      return integer;
    default:
      return (row) => values[row];
  }
}

function decimalsOf({ values, length }: Data, type: Decimal): ValueAt {
  const words = type.bitWidth / 32;
  need(values, length * words);
  const unscaled = (row: number): bigint => {
    let value = 0n;
    for (let word = words - 1; word >= 0; word -= 1) value = (value << 32n) | BigInt(values[row * words + word]);
    return BigInt.asIntN(type.bitWidth, value);
  };
  // Beyond the widest decimal of the engine it is the nearest number.
  return typeOfField({ name: '', type }).kind === 'double' ? (row) => Number(`${unscaled(row)}e${-type.scale}`) : unscaled;
}

function dictionaryValues({ values, length, dictionary, children: _none }: Data): ValueAt {
  need(values, length);
  if (dictionary === undefined) throw damaged();
  const chunks = dictionary.data.map((chunk) => ({ value: valuesOf(chunk), length: chunk.length }));
  return (row) => {
    let index = Number(values[row]);
    if (index < 0) throw damaged();
    for (const chunk of chunks) {
      if (index < chunk.length) return chunk.value(index);
      index -= chunk.length;
    }
    throw damaged();
  };
}

/** Of a column with an offset for each row and one more. */
function sliced(data: Data): (row: number) => Uint8Array {
  const { values } = data;
  const range = rangesOf(data, values?.byteLength ?? 0);
  return (row) => values.subarray(...range(row));
}

function rangesOf({ valueOffsets, length }: Data, end: number): (row: number) => [from: number, to: number] {
  if (length > 0 && (valueOffsets === undefined || valueOffsets.length < length + 1)) throw damaged();
  return (row) => {
    const [from, to] = [Number(valueOffsets[row]), Number(valueOffsets[row + 1])];
    if (from < 0 || to < from || to > end) throw damaged();
    return [from, to];
  };
}

/** Short values stand in their view; longer ones in one of the buffers behind it. */
function viewed({ values, variadicBuffers, length }: Data): (row: number) => Uint8Array {
  need(values, length * 16);
  const views = new DataView(values.buffer, values.byteOffset, length * 16);
  return (row) => {
    const at = row * 16;
    const bytes = views.getInt32(at, true);
    if (bytes >= 0 && bytes <= 12) return values.subarray(at + 4, at + 4 + bytes);
    const buffer = variadicBuffers[views.getInt32(at + 8, true)];
    const from = views.getInt32(at + 12, true);
    if (bytes < 0 || from < 0 || buffer === undefined || from + bytes > buffer.byteLength) throw damaged();
    return buffer.subarray(from, from + bytes);
  };
}

function jsonOf(data: Data): ValueAt {
  const value = jsonValues(data);
  return (row) => {
    const json = value(row);
    return json === null ? null : stringifyJson(json);
  };
}

type JsonAt = (row: number) => JsonValue;

function jsonValues(data: Data): JsonAt {
  const value = nestedValues(data);
  const valid = withNulls(data, () => true);
  return (row) => (valid(row) === null ? null : value(row));
}

function nestedValues(data: Data): JsonAt {
  const { type, children, length } = data;
  if (!isNested(type)) {
    const value = scalarsOf(data);
    const columnType = typeOfField({ name: '', type });
    return (row) => jsonScalar(value(row), columnType);
  }
  const parts = children.map(jsonValues);
  if (DataType.isStruct(type)) {
    if (children.some((child) => child.length < length)) throw damaged();
    return (row) => Object.fromEntries(type.children.map(({ name }, index) => [name, parts[index]?.(row) ?? null]));
  }
  const [item] = parts;
  const [child] = children;
  if (item === undefined || child === undefined) throw damaged();
  const range = DataType.isFixedSizeList(type) ? fixedRanges(type.listSize, child.length) : rangesOf(data, child.length);
  return (row) => {
    const [from, to] = range(row);
    return Array.from({ length: to - from }, (_, index) => item(from + index));
  };
}

function fixedRanges(size: number, end: number): (row: number) => [from: number, to: number] {
  return (row) => {
    if ((row + 1) * size > end) throw damaged();
    return [row * size, (row + 1) * size];
  };
}

function isSet(bits: Uint8Array, index: number): boolean {
  return ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

function need(values: { readonly length: number } | undefined, length: number): void {
  if (length > 0 && (values === undefined || values.length < length)) throw damaged();
}

export function damaged(): TableError {
  return new TableError('is damaged: it contains less data than it announces');
}
