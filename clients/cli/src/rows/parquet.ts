// SPDX-License-Identifier: Apache-2.0
/**
 * Parquet by hyparquet, slice by slice. A slice is so many rows as take about `SLICE_BYTES` unpacked; where the file has an offset index only its pages
 * are read, elsewhere the packed row group is what memory must hold.
 */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  asyncBufferFromFile,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet';
import { CommandFailure, sentenceOf } from '../failure.ts';
import type { ReadRow, Row, RowSource } from './row-source.ts';

const SLICE_BYTES = 4 * 1024 * 1024;

/** Snappy is built into hyparquet; these come with Node. */
const COMPRESSORS: Compressors = {
  GZIP: (packed) => gunzipSync(packed),
  BROTLI: (packed) => brotliDecompressSync(packed),
  ZSTD: (packed) => zstdDecompressSync(packed),
};

export async function openParquet(path: string): Promise<RowSource> {
  const file = await asyncBufferFromFile(path);
  const metadata = await understood(path, 'its footer is damaged', parquetMetadataAsync(file));
  return {
    columns: parquetSchema(metadata).children.map(({ element }) => element.name),
    rowCount: Number(metadata.num_rows),
    bytes: undefined,
    rows: async function* (from) {
      for (const [rowStart, rowEnd] of slices(metadata)) {
        if (rowEnd <= from) continue;
        const read = parquetReadObjects({
          file,
          metadata,
          compressors: COMPRESSORS,
          useOffsetIndex: true,
          rowStart: Math.max(from, rowStart),
          rowEnd,
        });
        for (const row of await understood(path, `its rows from row ${rowStart + 1} on cannot be read`, read)) yield present(row);
      }
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Row ranges of the file, none across two row groups. */
function* slices({ row_groups }: FileMetaData): Generator<readonly [rowStart: number, rowEnd: number]> {
  let groupStart = 0;
  for (const { num_rows, total_byte_size } of row_groups) {
    const groupEnd = groupStart + Number(num_rows);
    const parts = Math.max(1, Math.ceil(Number(total_byte_size) / SLICE_BYTES));
    const rows = Math.max(1, Math.ceil((groupEnd - groupStart) / parts));
    for (let start = groupStart; start < groupEnd; start += rows) yield [start, Math.min(groupEnd, start + rows)];
    groupStart = groupEnd;
  }
}

/** In a table null is no value; of a vector it says that the point has none. */
function present(row: Row): ReadRow {
  const entries = Object.entries(row).filter(([column, value]) => value !== undefined && (value !== null || /^vector(\.|$)/.test(column)));
  return { kind: 'row', row: Object.fromEntries(entries) };
}

async function understood<Result>(path: string, what: string, reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (cause) {
    throw new CommandFailure('bad_data', `${path} is not a readable Parquet file: ${what} (${sentenceOf(cause)})`, { cause });
  }
}
