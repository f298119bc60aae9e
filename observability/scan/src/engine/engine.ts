// SPDX-License-Identifier: Apache-2.0
/** A place where SQL over the rows of one asset runs. */
import { assert } from '@sextant/foundation-std';
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';

/** Numbers are doubles or bigints, all else is text. */
export type Cell = string | number | bigint | boolean | null;
export type Row = readonly Cell[];
/** Members in the order of the columns. */
export type RowObject = { readonly [column: string]: unknown };

export interface Engine extends AsyncDisposable {
  readonly dialect: Dialect;
  /** All columns of the asset, in order. */
  readonly columns: readonly Column[];
  /** What stands after FROM: the asset's rows under the alias `asset`. */
  readonly relation: string;
  /** The same with the column `RECORD_NUMBER`; undefined where no number leads to a row. */
  readonly numberedRelation: string | undefined;
  /** Whether a scan may keep tables of its own beside the asset; a database that belongs to others is only read. */
  readonly keepsTables: boolean;
  /** What of the source could not be read as rows, and what of the rows did not fit its column. */
  readonly loaded: {
    /** Rows of each file, in the order of the files. */
    readonly rowsByFile?: readonly number[];
    /** Rows that were read of files. */
    readonly rows: number;
    readonly rejected: { readonly count: number; readonly samples: readonly string[] };
    readonly mismatches: readonly {
      readonly column: string;
      readonly type: string;
      readonly count: number;
      readonly samples: readonly string[];
    }[];
  };
  /** Runs one statement of ours; with a limit, it ends there and the next one may run. */
  query(sql: string, limit?: StatementLimit): Promise<readonly Row[]>;
  /** The first rows of a SELECT of ours, by column name. */
  queryObjects(sql: string, rowLimit: number, limit?: StatementLimit): Promise<readonly RowObject[]>;
  /** The first rows of a SELECT that a tenant wrote, by column name; it sees nothing but the asset. */
  queryTenant(sql: string, limits: TenantLimits): Promise<readonly RowObject[]>;
  /** An engine over those rows of the asset that the restriction keeps. */
  restrict(restriction: Restriction): Promise<Engine>;
  /** A relation with these columns of the rows that meet the condition. */
  select(where: string, columns: readonly Column[]): Promise<string>;
}

export type TenantLimits = { readonly rows: number; readonly timeoutMs: number };

/** Of a statement that computes what a tenant wrote; the subject begins the sentence about its end, such as `The rule`. */
export type StatementLimit = { readonly timeoutMs: number; readonly subject: string };

export type Restriction = {
  /** A condition over the columns, undefined for all rows. */
  readonly where: string | undefined;
  /** At most so many of them, the first in this order, in which only rows that hold the same are equal. */
  readonly first: { readonly rows: number; readonly order: readonly string[] } | undefined;
};

/** What stands after the relation. */
export function restrictionSql({ where, first }: Restriction): string {
  return `${where === undefined ? '' : ` WHERE ${where}`}${first === undefined ? '' : ` ORDER BY ${first.order.join(', ')} LIMIT ${first.rows}`}`;
}

/** Which record of its file a row is, from 1. No column of a file has a name with a control character in it. */
export const RECORD_NUMBER = '\u0001record';

/** The name under which tenant SQL finds its asset. */
export const ASSET_RELATION = 'asset';

/** Rows of one column that holds a JSON object. */
export function rowObjects(rows: readonly Row[]): readonly RowObject[] {
  return rows.map(([json]) => {
    const row: unknown = JSON.parse(String(json));
    assertRowObject(row);
    return row;
  });
}

function assertRowObject(row: unknown): asserts row is RowObject {
  assert(typeof row === 'object' && row !== null, 'a row is written as an object');
}

/** A scan that ended before its time, with a sentence for the person who started it. */
export class ScanError extends Error {
  override readonly name = 'ScanError';
}
