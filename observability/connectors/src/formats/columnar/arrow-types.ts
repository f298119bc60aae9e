// SPDX-License-Identifier: Apache-2.0
/** The types of Arrow as ours: https://arrow.apache.org/docs/format/Columnar.html */
import { DataType, DateUnit, type Field, TimeUnit } from 'apache-arrow';
import { type ColumnType, DECIMAL_DIGITS_MAX, TableError } from './table.ts';

const TIMESTAMP_UNITS = {
  // Parquet has no seconds.
  [TimeUnit.SECOND]: 'MILLIS',
  [TimeUnit.MILLISECOND]: 'MILLIS',
  [TimeUnit.MICROSECOND]: 'MICROS',
  [TimeUnit.NANOSECOND]: 'NANOS',
} as const;

/** @throws TableError for types that have no counterpart, by name */
export function typeOfField({ name, type }: Pick<Field, 'name' | 'type'>): ColumnType {
  if (DataType.isDictionary(type)) return typeOfField({ name, type: type.dictionary });
  if (DataType.isBool(type)) return { kind: 'boolean' };
  if (DataType.isInt(type)) return { kind: integerKind(type.bitWidth, type.isSigned) };
  // Halves are floats, as the engine has none.
  if (DataType.isFloat(type)) return { kind: type.precision === 2 ? 'double' : 'float' };
  // A column without a value has no type; text takes whatever comes later.
  if (DataType.isNull(type) || DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type)) return { kind: 'text' };
  if (DataType.isBinary(type) || DataType.isLargeBinary(type) || DataType.isBinaryView(type) || DataType.isFixedSizeBinary(type))
    return { kind: 'bytes' };
  if (DataType.isDecimal(type)) return decimalType(type);
  if (DataType.isDate(type)) return { kind: 'date' };
  if (DataType.isTime(type)) return { kind: 'time' };
  if (DataType.isTimestamp(type))
    return {
      kind: 'timestamp',
      unit: TIMESTAMP_UNITS[type.unit],
      isUtc: type.timezone !== null && type.timezone !== undefined && type.timezone !== '',
    };
  // A span of time is a number, of the unit that its writer chose.
  if (DataType.isDuration(type)) return { kind: 'int64' };
  if (isNested(type)) {
    for (const child of type.children) typeOfField(child);
    return { kind: 'json' };
  }
  throw new TableError(`has the column ${name} of the Arrow type ${String(type)}, which is not supported`);
}

export function isNested(type: DataType): boolean {
  return (
    DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type) || DataType.isStruct(type) || DataType.isMap(type)
  );
}

/** Whether days are counted in milliseconds. */
export function isDateInMilliseconds(type: DataType): boolean {
  return DataType.isDate(type) && type.unit === DateUnit.MILLISECOND;
}

function integerKind(bitWidth: number, isSigned: boolean): 'int32' | 'int64' | 'uint64' {
  if (bitWidth === 64) return isSigned ? 'int64' : 'uint64';
  return bitWidth === 32 && !isSigned ? 'int64' : 'int32';
}

function decimalType({ precision, scale }: { readonly precision: number; readonly scale: number }): ColumnType {
  return precision > DECIMAL_DIGITS_MAX || scale < 0 || scale > precision ? { kind: 'double' } : { kind: 'decimal', precision, scale };
}
