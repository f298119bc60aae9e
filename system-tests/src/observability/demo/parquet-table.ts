// SPDX-License-Identifier: Apache-2.0
/** The package's Parquet file as a table. */
import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import type { Cell, Table } from './tables.ts';

/** Times are written as `2001-01-31 23:59`, in UTC. */
export async function parquetTable(bytes: Uint8Array<ArrayBuffer>): Promise<Table> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const records = await parquetReadObjects({ file, compressors: { ZSTD: (input) => zstdDecompressSync(input) } });
  const rows = records.map((record) => Object.fromEntries(Object.entries(record).map(([column, value]) => [column, cellOf(value)])));
  return { columns: Object.keys(rows[0] ?? {}), rows };
}

function cellOf(value: unknown): Cell {
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ');
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}
