// SPDX-License-Identifier: Apache-2.0
/** Tables, views and queries of PostgreSQL; what is measured runs in the database. */
import type { DataType } from '@sextant/contracts-observability';
import type { OutboundGuard } from '@sextant/foundation-service';
import { type Column, type Connector, type Description, type PostgresRelation, SourceError } from '../connector.ts';
import { optionalText, type Payload, requiredText } from '../payload.ts';
import { listRelations, type SnapshotLimits, snapshotOpener } from './opened-snapshot.ts';
import { serverOf } from './postgresql-session.ts';
import type { Field, Snapshot } from './snapshot.ts';

export type PostgresqlConnectorOptions = Partial<SnapshotLimits> &
  Pick<SnapshotLimits, 'statementTimeoutMs'> & { readonly outbound: OutboundGuard };

/** What is larger is to be aggregated by the database. */
const ROWS_MAX = 1_000_000;

export function createPostgresqlConnector({ outbound, ...limits }: PostgresqlConnectorOptions): Connector {
  const openSnapshot = snapshotOpener(outbound, { rowsMax: ROWS_MAX, ...limits });
  return {
    kind: 'POSTGRESQL',
    validateConnection: (payload, credential) => {
      serverOf({ payload, credential });
    },
    validateAsset: (payload) => {
      relationOf(payload);
    },
    test: async (connection, signal) => {
      await using opened = await openSnapshot(connection, signal);
      await opened.snapshot.query('SELECT 1', { signal });
    },
    list: async (connection, { limit, signal }) => {
      await using opened = await openSnapshot(connection, signal);
      return await listRelations(opened.snapshot, { where: `c.relkind IN ('r', 'p', 'v', 'm', 'f')`, limit, signal });
    },
    describe: async (connection, location, signal) => {
      const relation = relationOf(location.payload);
      await using opened = await openSnapshot(connection, signal);
      return await describeRelation(opened.snapshot, relation, signal);
    },
    open: async (connection, location, { signal }) => {
      const relation = relationOf(location.payload);
      await using opening = new AsyncDisposableStack();
      const { snapshot } = opening.use(await openSnapshot(connection, signal));
      const description = await describeRelation(snapshot, relation, signal);
      const release = opening.move();
      return {
        description,
        data: { kind: 'postgresql', connect: snapshot, relation },
        // One snapshot does not change.
        confirmUnchanged: async () => {},
        [Symbol.asyncDispose]: () => release.disposeAsync(),
      };
    },
  };
}

/** A query wins over a table, as both may be given. Throws a `SourceError` that names the member. */
function relationOf(payload: Payload): PostgresRelation {
  const query = optionalText(payload, 'query', 'a SELECT statement');
  if (query === undefined) {
    const schema = optionalText(payload, 'schema', 'the name of a schema') ?? 'public';
    return { kind: 'table', schema, table: requiredText(payload, 'table', 'the name of a table or view') };
  }
  const sql = query.trim().replace(/[;\s]+$/, '');
  if (!/^(select|with|values|table|\()/i.test(sql)) {
    throw new SourceError('payload.query must be one SELECT statement', { member: 'payload.query' });
  }
  return { kind: 'query', sql };
}

/** What stands behind FROM: a quoted name, or the query as a subquery of its own. */
export function relationSql(relation: PostgresRelation): string {
  if (relation.kind === 'table') return `${quoted(relation.schema)}.${quoted(relation.table)}`;
  // The line ends keep a comment at the end of the query from swallowing the parenthesis.
  return `(\n${relation.sql}\n) AS source`;
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

async function describeRelation(snapshot: Snapshot, relation: PostgresRelation, signal: AbortSignal): Promise<Description> {
  const fields = await fieldsOf(snapshot, relation, signal);
  const types = fields.map(({ typeId, typeModifier }) => `format_type(${typeId}, ${typeModifier})`);
  const [names = []] = types.length === 0 ? [] : await snapshot.query(`SELECT ${types.join(', ')}`, { signal });
  const columns = fields.map(({ name }, index): Column => {
    const type = String(names[index]);
    return { name, source_type: type, data_type: dataTypeOf(type) };
  });
  const [bytes, definition] = [await bytesOf(snapshot, relation, signal), await definitionOf(snapshot, relation, signal)];
  return { columns, modified_at: null, bytes, ...(definition === undefined ? {} : { definition }) };
}

/**
 * A query is first planned as it stands, outside any parentheses, so that one that closes them early (`SELECT 1) AS a, (SELECT 2`) is
 * refused; LIMIT 0 then gives the columns without reading a row.
 */
async function fieldsOf(snapshot: Snapshot, relation: PostgresRelation, signal: AbortSignal): Promise<readonly Field[]> {
  try {
    if (relation.kind === 'query') await snapshot.run(`DECLARE probe NO SCROLL CURSOR FOR ${relation.sql}`, { signal });
    return (await snapshot.run(`SELECT * FROM ${relationSql(relation)} LIMIT 0`, { signal })).fields;
  } catch (cause) {
    if (relation.kind === 'table' || !(cause instanceof SourceError)) throw cause;
    throw new SourceError(`payload.query cannot be run: ${cause.message}`, { cause, member: 'payload.query' });
  }
}

async function bytesOf(snapshot: Snapshot, relation: PostgresRelation, signal: AbortSignal): Promise<number | null> {
  if (relation.kind === 'query') return null;
  const name = relationSql(relation).replaceAll("'", "''");
  // A name with a backslash would need an escape string; to_regclass takes the quoted name as it is.
  const [row] = await snapshot.query(`SELECT pg_table_size(to_regclass('${name}'))`, { signal });
  return typeof row?.[0] === 'bigint' ? Number(row[0]) : null;
}

/** Without a path to search, the server writes the schema of each table: `set_config` holds until the statement ends. */
async function definitionOf(snapshot: Snapshot, relation: PostgresRelation, signal: AbortSignal): Promise<string | undefined> {
  if (relation.kind === 'query') return undefined;
  const name = relationSql(relation).replaceAll("'", "''");
  const [row] = await snapshot.query(
    `SELECT pg_get_viewdef(view.oid) FROM (SELECT set_config('search_path', 'pg_catalog', true) AS path) AS setting
    JOIN pg_class AS view ON view.oid = to_regclass('${name}') AND view.relkind IN ('v', 'm') AND setting.path IS NOT NULL`,
    { signal },
  );
  return typeof row?.[0] === 'string' ? row[0] : undefined;
}

function dataTypeOf(type: string): DataType {
  const base = type.replace(/\(.*\)/, '').trim();
  return DATA_TYPES.get(base) ?? 'OTHER';
}

const DATA_TYPES: ReadonlyMap<string, DataType> = new Map([
  ['smallint', 'INTEGER'],
  ['integer', 'INTEGER'],
  ['bigint', 'INTEGER'],
  ['oid', 'INTEGER'],
  ['real', 'DECIMAL'],
  ['double precision', 'DECIMAL'],
  ['numeric', 'DECIMAL'],
  ['boolean', 'BOOLEAN'],
  ['date', 'DATE'],
  ['timestamp without time zone', 'TIMESTAMP'],
  ['timestamp with time zone', 'TIMESTAMP'],
  ['text', 'STRING'],
  ['character varying', 'STRING'],
  ['character', 'STRING'],
  ['uuid', 'STRING'],
  ['name', 'STRING'],
  ['citext', 'STRING'],
]);
