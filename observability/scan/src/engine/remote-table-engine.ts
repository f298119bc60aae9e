// SPDX-License-Identifier: Apache-2.0
/** What all engines share that measure a table where it is: they keep nothing beside it, and narrow it by a subquery. */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';
import {
  ASSET_RELATION,
  type Engine,
  type Restriction,
  type Row,
  type RowObject,
  restrictionSql,
  type StatementLimit,
  type TenantLimits,
} from './engine.ts';

/** `asset`, as the dialect writes the name. */
export function assetName({ identifier }: Pick<Dialect, 'identifier'>): string {
  return identifier(ASSET_RELATION);
}

/** What such an engine measures, and how it is reached. */
type RemoteSource<Access> = {
  readonly connect: Access;
  readonly columns: readonly Column[];
  readonly signal: AbortSignal;
  readonly relation: string;
};

export abstract class RemoteTableEngine<Access> implements Engine {
  abstract readonly dialect: Dialect;
  /** A table has no rows that are none, and no values of another type. */
  readonly loaded = { rows: 0, rejected: { count: 0, samples: [] }, mismatches: [] };
  readonly keepsTables = false;
  /** The rows of a table have no order. */
  readonly numberedRelation = undefined;
  readonly columns: readonly Column[];
  readonly relation: string;

  protected readonly source: RemoteSource<Access>;

  constructor(source: RemoteSource<Access>) {
    this.source = source;
    this.columns = source.columns;
    this.relation = source.relation;
  }

  abstract query(sql: string, limit?: StatementLimit): Promise<readonly Row[]>;
  abstract queryObjects(sql: string, rowLimit: number, limit?: StatementLimit): Promise<readonly RowObject[]>;
  abstract queryTenant(sql: string, limits: TenantLimits): Promise<readonly RowObject[]>;
  /** The same source, through another relation. */
  protected abstract over(relation: string): Engine;

  async restrict(restriction: Restriction): Promise<Engine> {
    return this.over(`(SELECT * FROM ${this.relation}${restrictionSql(restriction)}) AS ${assetName(this.dialect)}`);
  }

  async select(where: string): Promise<string> {
    return `(SELECT * FROM ${this.relation} WHERE ${where}) AS ${assetName(this.dialect)}`;
  }

  /** The connection or session belongs to the opened source. */
  async [Symbol.asyncDispose](): Promise<void> {}
}
