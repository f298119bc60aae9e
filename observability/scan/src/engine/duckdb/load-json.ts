/**
 * Loads JSON records. The structure is taken from all records, not from the first ones, so no later value contradicts it: where records
 * disagree, a member is text or JSON. Lines that hold no object are counted as broken.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { duckdbDialect } from '../../dialect/duckdb.ts';
import { ASSET, BROKEN_SAMPLES, pathList } from './asset-relation.ts';
import { readRows } from './database.ts';
import type { Broken, FilesToOpen } from './messages.ts';

/** A reader holds a buffer for each thread; left to itself it takes sixteen of the longest lines. */
const LINE_BYTES_MAX = 8 * 2 ** 20;
const BUFFER_BYTES = 2 * LINE_BYTES_MAX;
const SAMPLE_CHARACTERS = 500;
const IS_RECORD = "CASE WHEN json_valid(line) THEN json_type(line) = 'OBJECT' ELSE false END";
const SCALAR_TYPES = new Set(['BOOLEAN', 'BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE', 'VARCHAR']);

type JsonFiles = Pick<FilesToOpen, 'links' | 'compression'> & { readonly kind: 'ndjson' | 'json' };

export async function loadJson(connection: DuckDBConnection, files: JsonFiles): Promise<Broken> {
  await connection.run(`CREATE TABLE lines AS ${linesOf(files)}`);
  const broken = await brokenLines(connection);
  await connection.run(`DELETE FROM lines WHERE NOT (${IS_RECORD})`);
  const [[structure] = []] = await readRows(connection, 'SELECT CAST(json_group_structure(CAST(line AS JSON)) AS VARCHAR) FROM lines');
  const members = membersOf(String(structure ?? '{}'));
  await createAsset(connection, members);
  await connection.run('DROP TABLE lines');
  return broken;
}

/** The JSON reader has words of its own for what the CSV reader calls `none` and `gzip`. */
const JSON_COMPRESSION = { none: 'uncompressed', gzip: 'gzip' } as const;

function linesOf({ links, kind, compression }: JsonFiles): string {
  if (kind === 'json')
    return `SELECT CAST(json AS VARCHAR) AS line FROM read_json_objects(${pathList(links)}, format = 'auto', compression = '${JSON_COMPRESSION[compression]}', maximum_object_size = ${LINE_BYTES_MAX})`;
  // No separator and no quotes: a line is a value. The unit separator may not stand raw in JSON.
  return (
    `SELECT line FROM read_csv(${pathList(links)}, columns = {'line': 'VARCHAR'}, delim = '\u001f', quote = '', escape = '', header = false, ` +
    `compression = '${compression}', auto_detect = false, null_padding = true, strict_mode = false, ignore_errors = true, max_line_size = ${LINE_BYTES_MAX}, buffer_size = ${BUFFER_BYTES}) WHERE trim(line) <> ''`
  );
}

async function brokenLines(connection: DuckDBConnection): Promise<Broken> {
  const [counts] = await readRows(connection, `SELECT count(*) FROM lines WHERE NOT (${IS_RECORD})`);
  const samples = await readRows(
    connection,
    `SELECT left(line, ${SAMPLE_CHARACTERS}) FROM lines WHERE NOT (${IS_RECORD}) LIMIT ${BROKEN_SAMPLES}`,
  );
  return { count: Number(counts?.[0] ?? 0), samples: samples.map(([line]) => String(line)) };
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

async function createAsset(connection: DuckDBConnection, members: readonly Member[]): Promise<void> {
  if (members.length === 0) {
    await connection.run(`CREATE TABLE ${ASSET} AS SELECT line FROM lines`);
    return;
  }
  const { literal, identifier } = duckdbDialect;
  // Numbers are taken as their text first: a double would round integers beyond 2^53 before we can see them.
  const structure = JSON.stringify(Object.fromEntries(members.map(({ name, type }) => [name, type === 'DOUBLE' ? 'VARCHAR' : type])));
  await connection.run(
    `CREATE TABLE texts AS SELECT ${members.map(({ name }) => `r[${literal(name)}] AS ${identifier(name)}`).join(', ')} ` +
      `FROM (SELECT json_transform(line, ${literal(structure)}) AS r FROM lines)`,
  );
  const types = await refinedTypes(connection, members);
  await connection.run(
    `CREATE TABLE ${ASSET} AS SELECT ${members.map(({ name }, index) => `CAST(${identifier(name)} AS ${types[index]}) AS ${identifier(name)}`).join(', ')} FROM texts`,
  );
  await connection.run('DROP TABLE texts');
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
