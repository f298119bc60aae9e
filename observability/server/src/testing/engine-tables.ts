// SPDX-License-Identifier: Apache-2.0
/** Generated deliveries of one table, with all that engines write, order or add up in their own way, as the engines of a test read them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { AssetOptions } from '@sextant/contracts-observability';
import { systemClock } from '@sextant/foundation-std';
import { asFile, type Column, createFileConnector, type OpenedSource } from '@sextant/observability-connectors';
import { openSparkTable, type SparkAddress } from '@sextant/observability-connectors/spark-for-tests';
import fc from 'fast-check';
import type pg from 'pg';

type TableColumn = Column & { readonly duckdbType: string; readonly postgresqlType: string };

/** Values as PostgreSQL reads them; null is none. */
export type DeliveredRow = readonly (string | null)[];

export const COLUMNS = [
  { name: 'id', data_type: 'INTEGER', source_type: '', duckdbType: 'BIGINT', postgresqlType: 'bigint' },
  { name: 'kind', data_type: 'STRING', source_type: '', duckdbType: 'VARCHAR', postgresqlType: 'text' },
  { name: 'no"te', data_type: 'STRING', source_type: '', duckdbType: 'VARCHAR', postgresqlType: 'text' },
  { name: 'amount', data_type: 'DECIMAL', source_type: '', duckdbType: 'DOUBLE', postgresqlType: 'double precision' },
  { name: 'ratio', data_type: 'DECIMAL', source_type: '', duckdbType: 'FLOAT', postgresqlType: 'real' },
  { name: 'price', data_type: 'DECIMAL', source_type: '', duckdbType: 'DECIMAL(12, 2)', postgresqlType: 'numeric(12, 2)' },
  { name: 'huge', data_type: 'DECIMAL', source_type: '', duckdbType: 'DECIMAL(38, 0)', postgresqlType: 'numeric(38, 0)' },
  { name: 'day', data_type: 'DATE', source_type: '', duckdbType: 'DATE', postgresqlType: 'date' },
  { name: 'at', data_type: 'TIMESTAMP', source_type: '', duckdbType: 'TIMESTAMP', postgresqlType: 'timestamp without time zone' },
  { name: 'flag', data_type: 'BOOLEAN', source_type: '', duckdbType: 'BOOLEAN', postgresqlType: 'boolean' },
] as const satisfies readonly TableColumn[];

const DOUBLES = [
  'NaN',
  'Infinity',
  '-Infinity',
  '-0',
  '0',
  '5e-324',
  '-5e-324',
  '1e-7',
  '0.1',
  '1e15',
  '1e16',
  '123456789012345680',
  '-1e21',
];
const EXTREMES = ['1.7976931348623157e308', '-1.7976931348623157e308', '1e150', '-1e160'];
const TEXTS = [
  '',
  ' ',
  'x'.repeat(20_000),
  '4111 1111 1111 1111',
  'jane@example.com',
  "o'brien \\ $1",
  'tab\tline\nend',
  'NULL',
  'LDS 0 %_',
];
const DAYS = [
  '4713-12-31 BC',
  '0044-03-15 BC',
  '0001-01-01',
  '1970-01-01',
  '2024-02-29',
  '9999-12-31',
  '300000-01-01',
  'infinity',
  '-infinity',
];
const TIMES = ['4712-01-01 00:00:00 BC', '0001-01-01 00:00:00', '1969-12-31 23:59:59.999999', '294246-12-31 23:59:59.999999', 'infinity'];

const KINDS = ['red', 'green', 'blue', 'rare'];
const MINUTE_MS = 60_000;
const FIRST_MS = Date.UTC(2025, 0, 1);

/** What of a table may be extreme, and how it is damaged at last. */
const oddities = fc.record({
  doubles: fc.subarray([...DOUBLES, ...EXTREMES]),
  texts: fc.subarray(TEXTS),
  days: fc.subarray(DAYS),
  times: fc.subarray(TIMES),
  damage: fc.constantFrom('nulls', 'scale', 'kinds', 'duplicates', 'future'),
  /** Of values that are missing, in 16. */
  missing: fc.nat({ max: 8 }),
  salt: fc.nat({ max: 1_000_000 }),
  /** Which rows of a delivery are scanned. */
  restriction: fc.constantFrom<AssetOptions>(
    {},
    { sample_fraction: 60 },
    { limit: 150 },
    { filter: { amount: ['0.1', 'NaN', '-1e21', '__null__'] } },
  ),
});

export type Oddities = typeof oddities extends fc.Arbitrary<infer Value> ? Value : never;

export { oddities };

/** One delivery of so many rows. Deliveries of one table differ as those of a day do, and the damaged ones as those of a bad day. */
export function deliveredRows(
  rows: number,
  odd: Oddities,
  { delivery, isDamaged }: { readonly delivery: number; readonly isDamaged: boolean },
): readonly DeliveredRow[] {
  const random = sequence(odd.salt * 97 + delivery);
  const pick = (values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? '';
  const oddly = (values: readonly string[], usual: () => string): string => (values.length > 0 && random() < 0.05 ? pick(values) : usual());
  const made: DeliveredRow[] = [];
  for (let row = 0; row < rows; row += 1) {
    const at = new Date(FIRST_MS + (delivery * rows + row) * MINUTE_MS + Math.floor(random() * 1000))
      .toISOString()
      .replace('T', ' ')
      .slice(0, 23);
    const scale = isDamaged && odd.damage === 'scale' ? 1000 : 1;
    const values: (string | null)[] = [
      String(isDamaged && odd.damage === 'duplicates' ? row % 7 : BigInt(delivery * rows + row) * 1_000_003n),
      isDamaged && odd.damage === 'kinds' ? 'other' : pick(KINDS),
      oddly(odd.texts, () => `note ${Math.floor(random() * rows)} of ${at.slice(0, 10)}`),
      oddly(odd.doubles, () => String(scale * (random() * 100 - 20))),
      String(Math.fround(random())),
      (random() * 1000 * scale).toFixed(2),
      `${Math.floor(random() * 1e9)}${Math.floor(random() * 1e15)}`.padEnd(30, '7').replace(/^0/, '1'),
      oddly(odd.days, () => at.slice(0, 10)),
      isDamaged && odd.damage === 'future' ? at.replace('2025', '2035') : oddly(odd.times, () => at),
      random() < 0.7 ? 'true' : 'false',
    ];
    const missing = isDamaged && odd.damage === 'nulls' ? 12 : odd.missing;
    made.push(
      values.map((value, column) => (column > 0 && (random() * 16 * 4 < missing || (row % 16 < missing && column === 2)) ? null : value)),
    );
  }
  return made;
}

/** Numbers from 0 to 1 that a seed decides (mulberry32, Tommy Ettinger, public domain). */
function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** As a Parquet file, which any number of scans may open. */
export async function writeParquet(rows: readonly DeliveredRow[], directory: string): Promise<string> {
  const [lines, file] = [join(directory, 'rows.ndjson'), 'rows.parquet'];
  await writeFile(
    lines,
    rows.map((row) => JSON.stringify(row.map((value, index) => inDuckdb(value, COLUMNS[index]?.data_type)))).join('\n'),
  );
  const casts = COLUMNS.map(({ name, duckdbType }, index) => `CAST(v[${index + 1}] AS ${duckdbType}) AS "${name.replaceAll('"', '""')}"`);
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const read = `read_csv('${lines}', columns = {'line': 'VARCHAR'}, delim = '\\1', quote = '', escape = '', header = false, max_line_size = 1000000)`;
    const values = `SELECT CAST(CAST(line AS JSON) AS VARCHAR[]) AS v FROM ${read}`;
    await connection.run(
      `COPY (SELECT ${casts.join(', ')} FROM (${values})) TO '${join(directory, file)}' (FORMAT parquet, ROW_GROUP_SIZE 20000)`,
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  return file;
}

/** DuckDB marks the years before the first behind the day. */
function inDuckdb(value: string | null, type: string | undefined): string | null {
  return value !== null && (type === 'DATE' || type === 'TIMESTAMP') ? value.replace(/^(\S+)(.*) BC$/, '$1 (BC)$2') : value;
}

/** Without the age of the file, which a table has none of. */
export async function openParquet(directory: string, file: string): Promise<OpenedSource> {
  const connector = createFileConnector({ allowedDirectories: [directory], bytesMax: 2 ** 32 });
  const opened = await connector.open(
    { id: 1, type: 'FILE', payload: { directory }, credential: null },
    { payload: { path: file } },
    { signal: new AbortController().signal, temporaryDirectory: directory },
  );
  return { ...opened, description: { ...opened.description, modified_at: null } };
}

/** As long as a scan may take. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

/** A file as a Spark reads it, that of all tests unless another is given, described as the service describes it. */
export async function openOnSpark(path: string, file: OpenedSource['description'], address?: SparkAddress): Promise<OpenedSource> {
  const options = { clock: systemClock, statementTimeoutMs: STATEMENT_TIMEOUT_MS, ...(address !== undefined && { address }) };
  return asFile(await openSparkTable({ path, format: 'parquet' }, options), file);
}

const TABLE = 'delivered';
const ROWS_PER_INSERT = 2000;

/** In place of the delivery before. */
export async function fillTable(client: pg.Client, rows: readonly DeliveredRow[]): Promise<void> {
  await client.query(`DROP TABLE IF EXISTS ${TABLE}`);
  await client.query(
    `CREATE TABLE ${TABLE} (${COLUMNS.map(({ name, postgresqlType }) => `"${name.replaceAll('"', '""')}" ${postgresqlType}`).join(', ')})`,
  );
  const arrays = COLUMNS.map(({ postgresqlType }, index) => `CAST($${index + 1}::text[] AS ${postgresqlType}[])`);
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const some = rows.slice(start, start + ROWS_PER_INSERT);
    await client.query(
      `INSERT INTO ${TABLE} SELECT * FROM unnest(${arrays.join(', ')})`,
      COLUMNS.map((_, index) => some.map((row) => row[index] ?? null)),
    );
  }
}

export function openTable(client: pg.Client): OpenedSource {
  return {
    description: {
      columns: COLUMNS.map(({ name, data_type, postgresqlType }) => ({ name, data_type, source_type: postgresqlType })),
      modified_at: null,
      bytes: null,
    },
    data: {
      kind: 'postgresql',
      connect: { query: async (text) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows },
      relation: { kind: 'table', schema: 'public', table: TABLE },
    },
    confirmUnchanged: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
