// SPDX-License-Identifier: Apache-2.0
/** A table or query in PostgreSQL: every statement runs where the data are, one at a time and read-only. */
import { traced } from '@sextant/foundation-std';
import type { Column, PostgresAccess, PostgresRelation } from '@sextant/observability-connectors';
import { postgresqlDialect } from '../dialect/postgresql.ts';
import { type Cell, type Engine, type Row, type RowObject, rowObjects, type StatementLimit, type TenantLimits } from './engine.ts';
import { assetName, RemoteTableEngine } from './remote-table-engine.ts';

const ASSET = assetName(postgresqlDialect);

export type PostgresqlSource = { readonly connect: PostgresAccess; readonly relation: PostgresRelation };

export function openPostgresqlEngine({ connect, relation }: PostgresqlSource, columns: readonly Column[], signal: AbortSignal): Engine {
  return new PostgresqlEngine({ connect, columns, signal, relation: relationSql(relation) });
}

/**
 * The type of the first column that a tenant's SELECT would have. The join is never true: the database plans the statement, and reads no row.
 *
 * @throws what the connection says of the statement
 */
export async function firstTypeInPostgresql({ connect, relation }: PostgresqlSource, sql: string, signal: AbortSignal): Promise<string> {
  const [[type] = []] = await connect.query(
    `WITH ${ASSET} AS (SELECT * FROM ${relationSql(relation)} WHERE false) SELECT CAST(pg_typeof(m.first_column) AS text) ` +
      `FROM (SELECT 1) AS one LEFT JOIN (\n${withoutEnd(sql)}\n) AS m (first_column) ON false`,
    { signal },
  );
  return String(type);
}

function relationSql(relation: PostgresRelation): string {
  const { identifier } = postgresqlDialect;
  return relation.kind === 'table'
    ? `${identifier(relation.schema)}.${identifier(relation.table)} AS ${ASSET}`
    : `(${relation.sql}\n) AS ${ASSET}`;
}

function withoutEnd(sql: string): string {
  return sql.replace(/;\s*$/, '');
}

class PostgresqlEngine extends RemoteTableEngine<PostgresAccess> {
  readonly dialect = postgresqlDialect;

  query(sql: string, limit?: StatementLimit): Promise<readonly Row[]> {
    return this.#rows(sql, limit);
  }

  async #rows(sql: string, limit?: Pick<StatementLimit, 'timeoutMs'>): Promise<readonly Row[]> {
    const rows = await traced({ name: 'postgresql query', kind: 'client', attributes: { 'db.system.name': 'postgresql' } }, () =>
      this.source.connect.query(sql, { signal: this.source.signal, ...(limit && { timeoutMs: limit.timeoutMs }) }),
    );
    return rows.map((row) => row.map(cellOf));
  }

  async queryObjects(sql: string, rowLimit: number, limit?: StatementLimit): Promise<readonly RowObject[]> {
    return rowObjects(await this.query(`SELECT CAST(row_to_json(m) AS text) FROM (${sql}) AS m LIMIT ${rowLimit}`, limit));
  }

  /** The credential of the connection says what else may be read; `asset` is the scanned relation. */
  async queryTenant(sql: string, { rows: rowLimit, timeoutMs }: TenantLimits): Promise<readonly RowObject[]> {
    const rows = await this.#rows(
      `WITH ${ASSET} AS (SELECT * FROM ${this.relation}) SELECT CAST(row_to_json(m) AS text) FROM (\n${withoutEnd(sql)}\n) AS m LIMIT ${rowLimit}`,
      { timeoutMs },
    );
    return rowObjects(rows);
  }

  protected over(relation: string): Engine {
    return new PostgresqlEngine({ ...this.source, relation });
  }
}

function cellOf(value: unknown): Cell {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return value;
    default:
      return value === null || value === undefined ? null : JSON.stringify(value);
  }
}
