// SPDX-License-Identifier: Apache-2.0
/**
 * Loads JSON records. The structure is taken from all records, not from the first ones, so no later value contradicts it: where records
 * disagree, a member is text or JSON. A declared type stays: values that do not fit it are counted. Lines that hold no object are rejected.
 */
import { stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { FileFormat } from '@sextant/observability-connectors';
import { duckdbDialect } from '../../dialect/duckdb.ts';
import { ASSET, FILE, FILE_OF_ROW, pathList, REJECTED_SAMPLES, WITH_PATH } from './asset-relation.ts';
import { readRows } from './database.ts';
import { rowsByFile } from './file-rows.ts';
import type { FileToOpen, Loaded, Rejected } from './messages.ts';
import { revisedTypes } from './revised-types.ts';
import { countRows, createTable, misfitsOf, takeMismatches } from './text-table.ts';
import type { TextColumn } from './text-types.ts';

/** A reader holds a buffer for each thread; left to itself it takes sixteen of the longest lines. */
const LINE_BYTES_MAX = 8 * 2 ** 20;
const BUFFER_BYTES = 2 * LINE_BYTES_MAX;
const SAMPLE_CHARACTERS = 500;
const IS_RECORD = "CASE WHEN json_valid(line) THEN json_type(line) = 'OBJECT' ELSE false END";
const SCALAR_TYPES = new Set(['BOOLEAN', 'BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE', 'VARCHAR']);

type JsonFiles = {
  readonly files: readonly FileToOpen[];
  readonly format: Extract<FileFormat, { readonly kind: 'ndjson' | 'json' }>;
};

export async function loadJson(connection: DuckDBConnection, { files, format }: JsonFiles): Promise<Loaded> {
  await connection.run(`CREATE TABLE lines AS ${await linesOf(files, format)}`);
  const rejected = await rejectedLines(connection, format.kind === 'ndjson');
  await connection.run(`DELETE FROM lines WHERE NOT (${IS_RECORD})`);
  const counts = files.length === 1 ? undefined : await rowsByFile(connection, 'lines', files);
  const [[structure] = []] = await readRows(connection, 'SELECT CAST(json_group_structure(CAST(line AS JSON)) AS VARCHAR) FROM lines');
  const declared = new Map(
    files.flatMap(({ columns }) => columns).flatMap((column) => (column.isDeclared ? [[column.name, column] as const] : [])),
  );
  const { rows, mismatches } = await createAsset(connection, membersOf(String(structure ?? '{}')), declared);
  await connection.run('DROP TABLE lines');
  return { rows, rejected, mismatches, rowsByFile: counts ?? [rows] };
}

async function linesOf(files: readonly FileToOpen[], format: JsonFiles['format']): Promise<string> {
  const paths = pathList(files.map(({ link }) => link));
  const isOne = files.length === 1;
  const [file, withPath] = isOne ? ['', ''] : [`, ${FILE_OF_ROW} AS ${FILE}`, `, ${WITH_PATH}`];
  const { literal } = duckdbDialect;
  if (format.kind === 'json' && format.recordsPath !== '') {
    const sizes = await Promise.all(files.map(async ({ link }) => (await stat(link)).size));
    const pointer = format.recordsPath.split('.').map((member) => `.${duckdbDialect.identifier(member)}`);
    return (
      `SELECT CAST(unnest(from_json(json_extract(json, ${literal(`$${pointer.join('')}`)}), '["JSON"]')) AS VARCHAR) AS line${file} ` +
      `FROM read_json_objects(${paths}, format = 'unstructured', maximum_object_size = ${Math.max(LINE_BYTES_MAX, ...sizes)}${withPath})`
    );
  }
  if (format.kind === 'json')
    return `SELECT CAST(json AS VARCHAR) AS line${file} FROM read_json_objects(${paths}, format = 'auto', maximum_object_size = ${LINE_BYTES_MAX}${withPath})`;
  // No separator and no quotes: a line is a value. The unit separator may not stand raw in JSON.
  return (
    `SELECT line${file} FROM read_csv(${paths}, columns = {'line': 'VARCHAR'}, delim = '\u001f', quote = '', escape = '', header = false, ` +
    `auto_detect = false, null_padding = true, strict_mode = false, store_rejects = true, rejects_limit = 0, max_line_size = ${LINE_BYTES_MAX}, ` +
    `buffer_size = ${BUFFER_BYTES}${withPath}) WHERE trim(line) <> ''`
  );
}

/** @param hasRejects whether the reader itself may have left lines out: those that are too long or no UTF-8 */
async function rejectedLines(connection: DuckDBConnection, hasRejects: boolean): Promise<Rejected> {
  const rejects = hasRejects
    ? `SELECT left(any_value(csv_line), ${SAMPLE_CHARACTERS}) AS line FROM reject_errors GROUP BY scan_id, file_id, reject_errors.line`
    : 'SELECT NULL AS line WHERE false';
  const all = `SELECT line FROM lines WHERE NOT (${IS_RECORD}) UNION ALL ${rejects}`;
  const [[counted] = []] = await readRows(connection, `SELECT count(*) FROM (${all})`);
  const count = Number(counted);
  if (count === 0) return { count, samples: [] };
  const samples = await readRows(connection, `SELECT left(line, ${SAMPLE_CHARACTERS}) FROM (${all}) LIMIT ${REJECTED_SAMPLES}`);
  return { count, samples: samples.map(([line]) => String(line ?? '')) };
}

type Member = { readonly name: string; readonly type: string };

/** The members in the order in which the data first show them; what is nested stays JSON. */
function membersOf(structure: string): readonly Member[] {
  const parsed: unknown = JSON.parse(structure);
  if (typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(parsed).map(([name, type]) => ({
    name,
    type: typeof type === 'string' && SCALAR_TYPES.has(type) ? type : type === 'NULL' ? 'VARCHAR' : 'JSON',
  }));
}

async function createAsset(
  connection: DuckDBConnection,
  members: readonly Member[],
  declared: ReadonlyMap<string, TextColumn>,
): Promise<Pick<Loaded, 'rows' | 'mismatches'>> {
  if (members.length === 0) {
    await connection.run(`CREATE TABLE ${ASSET} AS SELECT line FROM lines`);
    return { rows: await countRows(connection), mismatches: [] };
  }
  const { literal, identifier } = duckdbDialect;
  // Numbers are taken as their text first: a double would round integers beyond 2^53 before we can see them.
  const isText = ({ name, type }: Member): boolean => type === 'DOUBLE' || declared.has(name);
  const structure = JSON.stringify(Object.fromEntries(members.map((member) => [member.name, isText(member) ? 'VARCHAR' : member.type])));
  await connection.run(
    `CREATE TABLE texts AS SELECT ${members.map(({ name }) => `r[${literal(name)}] AS ${identifier(name)}`).join(', ')} ` +
      `FROM (SELECT json_transform(line, ${literal(structure)}) AS r FROM lines)`,
  );
  const types = await refinedTypes(connection, members);
  const casts = members.map(({ name }, index) =>
    declared.has(name) ? identifier(name) : `CAST(${identifier(name)} AS ${types[index]}) AS ${identifier(name)}`,
  );
  const relation = {
    relation: `(SELECT ${casts.join(', ')} FROM texts)`,
    names: new Set(members.map(({ name }) => name)),
    native: new Set(members.flatMap(({ name }) => (declared.has(name) ? [] : [name]))),
  };
  let columns: readonly TextColumn[] = members.map(({ name }) => declared.get(name) ?? { name, type: 'VARCHAR', isDeclared: false });
  for (;;) {
    await connection.run(`DROP TABLE IF EXISTS ${ASSET}`);
    await createTable(connection, [relation], { columns, conventions: {} });
    const { rows, misfits } = await misfitsOf(connection, columns);
    const revised = revisedTypes(columns, misfits);
    if (revised === undefined) {
      await connection.run('DROP TABLE texts');
      return { rows, mismatches: await takeMismatches(connection, columns, misfits) };
    }
    columns = revised;
  }
}

/** Text that is all dates is dates; numbers that are all integers beyond 64 bits are wide integers. */
async function refinedTypes(connection: DuckDBConnection, members: readonly Member[]): Promise<readonly string[]> {
  const checks = members.flatMap(({ name, type }) => {
    const column = duckdbDialect.identifier(name);
    const all = (condition: string): string => `coalesce(bool_and(${condition}) FILTER (WHERE ${column} IS NOT NULL), false)`;
    if (type === 'DOUBLE') return [all(`regexp_full_match(${column}, '-?[0-9]+') AND TRY_CAST(${column} AS HUGEINT) IS NOT NULL`), 'false'];
    if (type !== 'VARCHAR') return ['false', 'false'];
    return [
      all(`length(${column}) = 10 AND TRY_CAST(${column} AS DATE) IS NOT NULL`),
      all(`length(${column}) >= 16 AND TRY_CAST(${column} AS TIMESTAMP) IS NOT NULL`),
    ];
  });
  const [flags = []] = await readRows(connection, `SELECT ${checks.join(', ')} FROM texts`);
  return members.map(({ type }, index) => {
    const [first, second] = [flags[2 * index] === true, flags[2 * index + 1] === true];
    if (type === 'DOUBLE') return first ? 'HUGEINT' : 'DOUBLE';
    return first ? 'DATE' : second ? 'TIMESTAMP' : type;
  });
}
