// SPDX-License-Identifier: Apache-2.0
/** What a columnar file says of its columns, whatever its format. Its types are certain: nothing is guessed from values. */
import type { DataType } from '@sextant/contracts-observability';
import { columnNames } from '../column-names.ts';

export type ColumnType =
  | { readonly kind: 'boolean' | 'int32' | 'int64' | 'uint64' | 'float' | 'double' | 'text' | 'bytes' | 'date' | 'time' }
  /** Nested values, as JSON text. */
  | { readonly kind: 'json' }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'timestamp'; readonly unit: 'MILLIS' | 'MICROS' | 'NANOS'; readonly isUtc: boolean };

export type TableColumn = { readonly name: string; readonly type: ColumnType };

/** A value as it is stored: days for a date, microseconds for a time, the unscaled integer for a decimal, units since 1970 for a timestamp. */
export type StoredValue = boolean | number | bigint | string | Uint8Array | null;

export type Table = {
  readonly columns: readonly TableColumn[];
  /** Some rows after another; of each column its values. */
  readonly chunks: () => AsyncIterable<readonly (readonly StoredValue[])[]>;
};

/** Rows that are in memory as values at a time. */
export const CHUNK_ROWS = 20_000;

/** The schema stands at the beginning or the end; that of the widest table takes no more. */
export const SCHEMA_BYTES_MAX = 4 * 2 ** 20;

/** The widest decimal of the scan engine. */
export const DECIMAL_DIGITS_MAX = 38;

/** A file that is not what its format says, or is more than is read; the sentence is for the person who chose the file and begins behind its name. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Never with a replacement for bytes that are no text. */
export function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new TableError('is damaged: it contains text that is not valid UTF-8');
  }
}

/** Names as those of delimited text: one that is missing is `column0`, one that is there already gets a number. */
export function namedColumns(columns: readonly TableColumn[]): readonly TableColumn[] {
  const names = columnNames(
    columns.map(({ name }) => name),
    columns.length,
  );
  return columns.map(({ type }, index) => ({ name: names[index] ?? '', type }));
}

/** Names of the scan engine's SQL, so that its finer answer later is no change of the schema. */
export function sourceTypeOf(type: ColumnType): string {
  switch (type.kind) {
    case 'boolean':
      return 'BOOLEAN';
    case 'int32':
      return 'INTEGER';
    case 'int64':
      return 'BIGINT';
    case 'uint64':
      return 'UBIGINT';
    case 'float':
      return 'FLOAT';
    case 'double':
      return 'DOUBLE';
    case 'decimal':
      return `DECIMAL(${type.precision},${type.scale})`;
    case 'text':
      return 'VARCHAR';
    case 'bytes':
      return 'BLOB';
    case 'date':
      return 'DATE';
    case 'time':
      return 'TIME';
    case 'timestamp':
      if (type.isUtc) return 'TIMESTAMP WITH TIME ZONE';
      return type.unit === 'NANOS' ? 'TIMESTAMP_NS' : 'TIMESTAMP';
    case 'json':
      return 'JSON';
  }
}

export function dataTypeOf({ kind }: ColumnType): DataType {
  switch (kind) {
    case 'boolean':
      return 'BOOLEAN';
    case 'int32':
    case 'int64':
    case 'uint64':
      return 'INTEGER';
    case 'float':
    case 'double':
    case 'decimal':
      return 'DECIMAL';
    case 'text':
      return 'STRING';
    case 'date':
      return 'DATE';
    case 'timestamp':
      return 'TIMESTAMP';
    case 'bytes':
    case 'time':
    case 'json':
      return 'OTHER';
  }
}
