// SPDX-License-Identifier: Apache-2.0
/** The columns of a Parquet file, from its footer alone. */

import type { DataType } from '@sextant/contracts-observability';
import { type AsyncBuffer, parquetMetadataAsync, parquetSchema, type SchemaTree } from 'hyparquet';
import { type Column, SourceError } from '../connector.ts';
import type { ByteSource } from './byte-source.ts';

export const PARQUET_MAGIC = 'PAR1';

/** A column is plain where every engine reads its type as the same one. */
export type ParquetColumn = Column & { readonly isPlain: boolean };

export async function parquetColumns(source: ByteSource): Promise<readonly ParquetColumn[]> {
  const file: AsyncBuffer = {
    byteLength: source.bytes,
    slice: async (start, end) => {
      const bytes = await source.slice(start, end ?? source.bytes);
      // A copy, because the buffer of a small read is part of a larger one.
      return new Uint8Array(bytes).buffer;
    },
  };
  try {
    const metadata = await parquetMetadataAsync(file);
    return parquetSchema(metadata).children.map(({ element, children }) => ({
      name: element.name,
      source_type: sourceType(element, children.length > 0),
      data_type: dataType(element, children.length > 0),
      isPlain: children.length === 0 && isPlain(element),
    }));
  } catch (cause) {
    throw new SourceError(`${source.name} is not a readable Parquet file: its footer is damaged`, { cause, member: 'payload.path' });
  }
}

type Element = SchemaTree['element'];

/** The logical type where there is one, else the physical type, as the format names them. */
function sourceType(element: Element, isGroup: boolean): string {
  if (isGroup) return element.logical_type?.type ?? element.converted_type ?? 'GROUP';
  return element.logical_type?.type ?? element.converted_type ?? element.type ?? 'UNKNOWN';
}

/** Unsigned numbers, nanoseconds, INT96, UUIDs, times and bytes are one type here and another on Spark. */
function isPlain({ type, repetition_type, logical_type: logical, converted_type: converted }: Element): boolean {
  if (repetition_type === 'REPEATED') return false;
  switch (logical?.type) {
    case 'STRING':
    case 'DATE':
    case 'DECIMAL':
      return true;
    case 'INTEGER':
      return logical.isSigned;
    case 'TIMESTAMP':
      return !logical.isAdjustedToUTC && logical.unit === 'MICROS';
    case undefined:
      break;
    default:
      return false;
  }
  if (converted !== undefined) return PLAIN_CONVERTED.has(converted);
  return type !== undefined && PLAIN_PHYSICAL.has(type);
}

const PLAIN_CONVERTED: ReadonlySet<string> = new Set(['UTF8', 'DATE', 'DECIMAL', 'INT_8', 'INT_16', 'INT_32', 'INT_64']);
const PLAIN_PHYSICAL: ReadonlySet<string> = new Set(['BOOLEAN', 'INT32', 'INT64', 'FLOAT', 'DOUBLE']);

/** https://github.com/apache/parquet-format/blob/master/LogicalTypes.md */
function dataType(element: Element, isGroup: boolean): DataType {
  if (isGroup || element.repetition_type === 'REPEATED') return 'OTHER';
  const logical = element.logical_type?.type;
  const converted = element.converted_type;
  if (logical === 'STRING' || logical === 'ENUM' || logical === 'UUID' || converted === 'UTF8' || converted === 'ENUM') return 'STRING';
  if (logical === 'DATE' || converted === 'DATE') return 'DATE';
  if (logical === 'TIMESTAMP' || converted?.startsWith('TIMESTAMP') === true) return 'TIMESTAMP';
  if (logical === 'DECIMAL' || converted === 'DECIMAL' || logical === 'FLOAT16') return 'DECIMAL';
  if (logical === 'TIME' || converted?.startsWith('TIME') === true || converted === 'INTERVAL') return 'OTHER';
  return PHYSICAL_TYPES.get(element.type) ?? 'OTHER';
}

const PHYSICAL_TYPES: ReadonlyMap<Element['type'], DataType> = new Map([
  ['BOOLEAN', 'BOOLEAN'],
  ['INT32', 'INTEGER'],
  ['INT64', 'INTEGER'],
  ['INT96', 'TIMESTAMP'],
  ['FLOAT', 'DECIMAL'],
  ['DOUBLE', 'DECIMAL'],
] as const);
