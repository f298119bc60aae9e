// SPDX-License-Identifier: Apache-2.0
/** A view in a session of Spark: every statement runs where the data are, one at a time; nothing but results comes here. */
import { traced } from '@sextant/foundation-std';
import type { Column, SparkAccess } from '@sextant/observability-connectors';
import { sparkDialect } from '../dialect/spark.ts';
import {
  ASSET_RELATION,
  type Engine,
  type Restriction,
  type Row,
  type RowObject,
  restrictionSql,
  rowObjects,
  ScanError,
  type StatementLimit,
} from './engine.ts';

/** Tenants' SQL could read whatever the session can. */
export const REFUSED_ON_SPARK =
  'SQL of your own is not run on Spark, where nothing would confine it to its asset; write the metric as an expression';

const ASSET = sparkDialect.identifier(ASSET_RELATION);

export type SparkSource = { readonly connect: SparkAccess; readonly view: string };

export function openSparkEngine({ connect, view }: SparkSource, columns: readonly Column[], signal: AbortSignal): Engine {
  return new SparkEngine({ connect, columns, signal, relation: `${sparkDialect.identifier(view)} AS ${ASSET}` });
}

type Parts = {
  readonly connect: SparkAccess;
  readonly columns: readonly Column[];
  readonly signal: AbortSignal;
  readonly relation: string;
};

class SparkEngine implements Engine {
  readonly dialect = sparkDialect;
  /** A table has no rows that are none, and no values of another type. */
  readonly loaded = { rows: 0, rejected: { count: 0, samples: [] }, mismatches: [] };
  readonly keepsTables = false;
  /** Rows that are spread over machines have no order. */
  readonly numberedRelation = undefined;
  readonly columns: readonly Column[];
  readonly relation: string;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.columns = parts.columns;
    this.relation = parts.relation;
  }

  query(sql: string, limit?: StatementLimit): Promise<readonly Row[]> {
    const { connect, signal } = this.#parts;
    return traced({ name: 'spark query', kind: 'client', attributes: { 'db.system.name': 'spark' } }, () =>
      connect.query(sql, { signal, ...(limit && { timeoutMs: limit.timeoutMs }) }),
    );
  }

  async queryObjects(sql: string, rowLimit: number, limit?: StatementLimit): Promise<readonly RowObject[]> {
    // Its JSON writes times in another way than its texts.
    const members = (await this.query(`DESCRIBE QUERY ${sql}`)).map(([name, type]) => {
      const column = sparkDialect.identifier(String(name));
      const isTime = /^(date|timestamp)/.test(String(type));
      return `${sparkDialect.literal(String(name))}, ${isTime ? sparkDialect.castText(column) : column}`;
    });
    const json = `to_json(named_struct(${members.join(', ')}), map('ignoreNullFields', 'false'))`;
    return rowObjects(await this.query(`SELECT ${json} FROM (${sql}) AS m LIMIT ${rowLimit}`, limit));
  }

  async queryTenant(): Promise<never> {
    throw new ScanError(REFUSED_ON_SPARK);
  }

  async restrict(restriction: Restriction): Promise<Engine> {
    const rows = `SELECT * FROM ${this.relation}${restrictionSql(restriction)}`;
    return new SparkEngine({ ...this.#parts, relation: `(${rows}) AS ${ASSET}` });
  }

  async select(where: string): Promise<string> {
    return `(SELECT * FROM ${this.relation} WHERE ${where}) AS ${ASSET}`;
  }

  /** The session belongs to the opened source. */
  async [Symbol.asyncDispose](): Promise<void> {}
}
