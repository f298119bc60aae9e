// SPDX-License-Identifier: Apache-2.0
/** Parquet files as DuckDB writes them, whole and damaged. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { type HostileFile, NAMES } from './hostile-file.ts';

const ROWS = 10_000;
/** Of several row groups, so that its middle is data. */
const WHOLE = await parquet(`SELECT i AS id, 'value ' || (i * 7919) % 10007 AS name FROM range(${ROWS}) AS t(i)`);
const RIGHT = { columns: NAMES, rows: Array.from({ length: ROWS }, (_, row) => [String(row), `value ${(row * 7919) % 10_007}`]) };
const QUARTER = WHOLE.length >> 2;

const NO_FOOTER = { refused: /its footer is damaged/ };
const DAMAGED = { refused: /The Parquet file is damaged or truncated/ };

export const HOSTILE_PARQUET: readonly HostileFile[] = [
  { kind: 'a Parquet file', name: 'a.parquet', content: WHOLE, expected: RIGHT },
  { kind: 'a Parquet file of another name', name: 'a.csv', content: WHOLE, expected: RIGHT },
  { kind: 'a Parquet file that was cut in its middle', name: 'a.parquet', content: WHOLE.subarray(0, 2 * QUARTER), expected: NO_FOOTER },
  { kind: 'a Parquet file without its last byte', name: 'a.parquet', content: WHOLE.subarray(0, -1), expected: NO_FOOTER },
  { kind: 'nothing but the marks of a Parquet file', name: 'a.parquet', content: 'PAR1\0\0\0\0PAR1', expected: NO_FOOTER },
  {
    kind: 'a Parquet file whose middle is missing',
    name: 'a.parquet',
    content: Buffer.concat([WHOLE.subarray(0, QUARTER), WHOLE.subarray(2 * QUARTER)]),
    expected: DAMAGED,
  },
  {
    kind: 'a Parquet file whose middle is overwritten',
    name: 'a.parquet',
    content: Buffer.from(WHOLE).fill(0x55, QUARTER, 2 * QUARTER),
    expected: DAMAGED,
  },
];

async function parquet(select: string): Promise<Buffer> {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'a.parquet');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
  connection.closeSync();
  instance.closeSync();
  return await readFile(path);
}
