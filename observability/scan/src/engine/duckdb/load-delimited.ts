/**
 * Loads delimited text. Types are guessed from the first rows; a column whose later values contradict the guess is read again as text, so
 * that every value stays data. What remains rejected are rows that cannot be split into the columns.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { FileFormat } from '@sextant/observability-connectors';
import { duckdbDialect } from '../../dialect/duckdb.ts';
import { ASSET, BROKEN_SAMPLES, pathList } from './asset-relation.ts';
import { readRows } from './database.ts';
import type { Broken, FilesToOpen } from './messages.ts';
import { narrowTypes } from './narrow-types.ts';

/** DuckDB's own default; a column that later rows contradict is read again anyway. */
const SAMPLED_ROWS = 20_480;
/** A reader holds a buffer for each thread; left to itself it takes sixteen of the longest lines. */
const LINE_BYTES_MAX = 8 * 2 ** 20;
const BUFFER_BYTES = 2 * LINE_BYTES_MAX;
const SAMPLE_CHARACTERS = 500;
/** Doubles hold every integer up to here. */
const SAFE_INTEGER = 2 ** 53;

type Delimited = Pick<FilesToOpen, 'links' | 'compression' | 'names'> & {
  readonly format: Extract<FileFormat, { readonly kind: 'delimited' }>;
};
type Types = ReadonlyMap<string, string>;

export async function loadDelimited(connection: DuckDBConnection, files: Delimited): Promise<Broken> {
  let types: Types = new Map();
  try {
    await load(connection, files, types);
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('sniffing file'))) throw error;
    return loadUnsniffed(connection, files);
  }
  // Each round turns at least one more column to text, so there are at most as many rounds as columns.
  for (;;) {
    const contradicted = await contradictedColumns(connection);
    const wide = contradicted.length === 0 ? await wideIntegers(connection, types) : [];
    if (contradicted.length + wide.length === 0) return brokenRows(connection);
    types = new Map([
      ...types,
      ...wide.map((name) => [name, 'HUGEINT'] as const),
      ...contradicted.map((name) => [name, 'VARCHAR'] as const),
    ]);
    await load(connection, files, types);
  }
}

async function load(connection: DuckDBConnection, files: Delimited, types: Types): Promise<void> {
  const { literal } = duckdbDialect;
  const typed = [...types].map(([name, type]) => `${literal(name)}: ${literal(type)}`).join(', ');
  await create(connection, files, [
    `sample_size = ${SAMPLED_ROWS}`,
    ...(files.names.length > 0 ? [`names = [${files.names.map(literal).join(', ')}]`] : []),
    ...(files.links.length > 1 ? ['union_by_name = true'] : []),
    ...(typed === '' ? [] : [`types = {${typed}}`]),
  ]);
}

/** Where most of the first rows are broken, nothing can be guessed: the header names the columns, and all their values the types. */
async function loadUnsniffed(connection: DuckDBConnection, files: Delimited): Promise<Broken> {
  const { literal } = duckdbDialect;
  const names = files.names.length > 0 ? files.names : await headerOf(connection, files);
  const columns = names.map((name) => `${literal(name)}: 'VARCHAR'`).join(', ');
  await create(connection, files, ['auto_detect = false', `columns = {${columns}}`]);
  await narrowTypes(connection, names);
  return brokenRows(connection);
}

async function headerOf(connection: DuckDBConnection, { links, format, compression }: Delimited): Promise<readonly string[]> {
  const { literal } = duckdbDialect;
  const [[line] = []] = await readRows(
    connection,
    `SELECT line FROM read_csv(${literal(links[0] ?? '')}, columns = {'line': 'VARCHAR'}, delim = '\u001f', quote = '', escape = '', header = false, ` +
      `auto_detect = false, parallel = false, compression = ${literal(compression)}) LIMIT 1`,
  );
  const cells = String(line ?? '')
    .replace(/^\uFEFF/, '')
    .split(format.separator);
  const names = cells.map((cell) => cell.replace(/^"(.*)"$/, '$1').replaceAll('""', '"'));
  return names.map((name, index) => (name === '' || names.indexOf(name) < index ? `${name}_${index}` : name));
}

async function create(connection: DuckDBConnection, { links, format, compression }: Delimited, options: readonly string[]): Promise<void> {
  for (const table of [ASSET, 'reject_errors', 'reject_scans']) await connection.run(`DROP TABLE IF EXISTS ${table}`);
  const { literal } = duckdbDialect;
  const all = [
    `delim = ${literal(format.separator)}`,
    `header = ${format.header}`,
    `compression = ${literal(compression)}`,
    // RFC 4180. Left to guess, one broken quote would turn all others into data.
    `quote = '"'`,
    `escape = '"'`,
    `max_line_size = ${LINE_BYTES_MAX}`,
    `buffer_size = ${BUFFER_BYTES}`,
    'store_rejects = true',
    'rejects_limit = 0',
    // A quoted nothing is an empty string, an unquoted one is null.
    'allow_quoted_nulls = false',
    ...options,
  ];
  await connection.run(`CREATE TABLE ${ASSET} AS FROM read_csv(${pathList(links)}, ${all.join(', ')})`);
}

/** A row with too many or too few values says nothing of the types of its columns. */
async function contradictedColumns(connection: DuckDBConnection): Promise<readonly string[]> {
  const rows = await readRows(
    connection,
    `SELECT DISTINCT unnest(columns) FROM (SELECT list(column_name) AS columns FROM reject_errors GROUP BY file_id, line HAVING bool_and(error_type = 'CAST'))`,
  );
  return rows.map(([name]) => String(name));
}

/** Integers beyond 64 bits are guessed to be doubles, which would make neighbours equal. */
async function wideIntegers(connection: DuckDBConnection, types: Types): Promise<readonly string[]> {
  const columns = await readRows(connection, `SELECT column_name FROM (DESCRIBE ${ASSET}) WHERE column_type = 'DOUBLE'`);
  const names = columns.map(([name]) => String(name)).filter((name) => !types.has(name));
  if (names.length === 0) return [];
  const checks = names.map((name) => {
    const column = duckdbDialect.identifier(name);
    return `coalesce(bool_and(isfinite(${column}) AND ${column} = trunc(${column})) AND max(abs(${column})) > ${SAFE_INTEGER}, false)`;
  });
  const [flags = []] = await readRows(connection, `SELECT ${checks.join(', ')} FROM ${ASSET}`);
  return names.filter((_, index) => flags[index] === true);
}

async function brokenRows(connection: DuckDBConnection): Promise<Broken> {
  const [counts] = await readRows(connection, 'SELECT count(DISTINCT (file_id, line)) FROM reject_errors');
  const samples = await readRows(
    connection,
    `SELECT line, left(any_value(csv_line), ${SAMPLE_CHARACTERS}) FROM reject_errors GROUP BY file_id, line ORDER BY file_id, line LIMIT ${BROKEN_SAMPLES}`,
  );
  return { count: Number(counts?.[0] ?? 0), samples: samples.map(([line, text]) => `line ${line}: ${text ?? ''}`) };
}
