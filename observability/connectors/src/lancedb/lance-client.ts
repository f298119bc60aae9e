// SPDX-License-Identifier: Apache-2.0
/** The official client of LanceDB, as much of it as is used: https://lancedb.github.io/lancedb/js/globals/ */
import { packageForKind } from '../optional-package.ts';

export const LANCE_PACKAGE = '@lancedb/lancedb';

export type ArrowType = {
  readonly typeId: number;
  readonly listSize?: number;
  readonly precision?: number;
  readonly children?: readonly ArrowField[] | null;
};
export type ArrowField = { readonly name: string; readonly type: ArrowType };
export type ArrowRow = { readonly toJSON: () => { readonly [column: string]: unknown } };
export type ArrowBatch = { readonly numRows: number; readonly get: (row: number) => ArrowRow | null };

export interface LanceQuery extends AsyncIterable<ArrowBatch> {
  where(condition: string): LanceQuery;
  select(columns: readonly string[]): LanceQuery;
  limit(rows: number): LanceQuery;
  withRowId(): LanceQuery;
  nearestTo(vector: readonly number[]): LanceVectorQuery;
  toArray(): Promise<readonly { readonly [column: string]: unknown }[]>;
}

export interface LanceVectorQuery extends LanceQuery {
  where(condition: string): LanceVectorQuery;
  limit(rows: number): LanceVectorQuery;
  column(name: string): LanceVectorQuery;
  bypassVectorIndex(): LanceVectorQuery;
  distanceType(type: string): LanceVectorQuery;
}

export type LanceTableHandle = {
  schema(): Promise<{ readonly fields: readonly ArrowField[] }>;
  countRows(): Promise<number>;
  version(): Promise<number>;
  checkout(version: number): Promise<void>;
  query(): LanceQuery;
  listIndices(): Promise<readonly { readonly name: string; readonly columns: readonly string[] }[]>;
  indexStats(name: string): Promise<{ readonly numIndexedRows: number; readonly distanceType?: string } | undefined>;
};

export type LanceDatabase = {
  tableNames(options?: { readonly limit?: number }): Promise<readonly string[]>;
  openTable(name: string): Promise<LanceTableHandle>;
};

type LanceModule = { readonly connect: (directory: string) => Promise<LanceDatabase> };

/** Throws a `SourceError` where the package is missing. */
export function connectLance(directory: string): Promise<LanceDatabase> {
  // The module of this package has the function.
  return (packageForKind('LANCEDB', LANCE_PACKAGE) as LanceModule).connect(directory);
}
