/** A table or query in PostgreSQL: every statement runs where the data are, one at a time and read-only. */
import type { Column, PostgresAccess, PostgresRelation } from '@sextant/observability-connectors';
import { postgresqlDialect } from '../dialect/postgresql.ts';
import {
  ASSET_RELATION,
  type Cell,
  type Engine,
  type Restriction,
  type Row,
  type RowObject,
  rowObjects,
  type StatementLimit,
  type TenantLimits,
} from './engine.ts';

const ASSET = postgresqlDialect.identifier(ASSET_RELATION);

export type PostgresqlSource = { readonly connect: PostgresAccess; readonly relation: PostgresRelation };

export function openPostgresqlEngine({ connect, relation }: PostgresqlSource, columns: readonly Column[], signal: AbortSignal): Engine {
  const { identifier } = postgresqlDialect;
  const source =
    relation.kind === 'table'
      ? `${identifier(relation.schema)}.${identifier(relation.table)} AS ${ASSET}`
      : `(${relation.sql}\n) AS ${ASSET}`;
  return new PostgresqlEngine({ connect, columns, signal, relation: source });
}

type Parts = {
  readonly connect: PostgresAccess;
  readonly columns: readonly Column[];
  readonly signal: AbortSignal;
  readonly relation: string;
};

class PostgresqlEngine implements Engine {
  readonly dialect = postgresqlDialect;
  /** A table has no rows that are none, and no values of another type. */
  readonly loaded = { rows: 0, rejected: { count: 0, samples: [] }, mismatches: [] };
  readonly columns: readonly Column[];
  readonly relation: string;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.columns = parts.columns;
    this.relation = parts.relation;
  }

  query(sql: string, limit?: StatementLimit): Promise<readonly Row[]> {
    return this.#rows(sql, limit);
  }

  async #rows(sql: string, limit?: Pick<StatementLimit, 'timeoutMs'>): Promise<readonly Row[]> {
    const rows = await this.#parts.connect.query(sql, { signal: this.#parts.signal, ...(limit && { timeoutMs: limit.timeoutMs }) });
    return rows.map((row) => row.map(cellOf));
  }

  async queryObjects(sql: string, rowLimit: number, limit?: StatementLimit): Promise<readonly RowObject[]> {
    return rowObjects(await this.query(`SELECT CAST(row_to_json(m) AS text) FROM (${sql}) AS m LIMIT ${rowLimit}`, limit));
  }

  /** The credential of the connection says what else may be read; `asset` is the scanned relation. */
  async queryTenant(sql: string, { rows: rowLimit, timeoutMs }: TenantLimits): Promise<readonly RowObject[]> {
    const select = sql.replace(/;\s*$/, '');
    const rows = await this.#rows(
      `WITH ${ASSET} AS (SELECT * FROM ${this.relation}) SELECT CAST(row_to_json(m) AS text) FROM (\n${select}\n) AS m LIMIT ${rowLimit}`,
      { timeoutMs },
    );
    return rowObjects(rows);
  }

  async restrict({ where, samplePercent, limit }: Restriction): Promise<Engine> {
    const conditions = [
      ...(where === undefined ? [] : [`(${where})`]),
      ...(samplePercent === undefined ? [] : [postgresqlDialect.sampled(ASSET, samplePercent)]),
    ];
    const filter = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    const rows = `SELECT * FROM ${this.relation}${filter}${limit === undefined ? '' : ` LIMIT ${limit}`}`;
    return new PostgresqlEngine({ ...this.#parts, relation: `(${rows}) AS ${ASSET}` });
  }

  async sample(percent: number | undefined): Promise<string> {
    if (percent === undefined) return this.relation;
    return `(SELECT * FROM ${this.relation} WHERE ${postgresqlDialect.sampled(ASSET, percent)}) AS ${ASSET}`;
  }

  /** The connection belongs to the opened source. */
  async [Symbol.asyncDispose](): Promise<void> {}
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
