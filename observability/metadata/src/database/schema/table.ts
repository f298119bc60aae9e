// SPDX-License-Identifier: Apache-2.0
/** Tables, each written once: as the statement that creates it and as the row that queries see. */

/** What SQLite and PostgreSQL read alike. Times are milliseconds since 1970, booleans 0 or 1. */
type Values = { text: string; integer: number; bigint: number; 'double precision': number };
/** The question mark is for columns that may be null. */
type ColumnType = keyof Values | `${keyof Values}?`;
type Table = { readonly constraints: readonly string[]; readonly columns: { readonly [column: string]: ColumnType } };

type ValueOf<Type> = Type extends keyof Values
  ? Values[Type]
  : Type extends `${infer Known extends keyof Values}?`
    ? Values[Known] | null
    : never;

export type RowsOf<Tables extends { readonly [table: string]: Table }> = {
  [Name in keyof Tables]: { -readonly [Column in keyof Tables[Name]['columns']]: ValueOf<Tables[Name]['columns'][Column]> };
};

export const OF_TENANT = 'foreign key (tenant_id) references tenants (id)';
export const OF_ASSET = 'foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade';
export const OF_JOB = 'foreign key (tenant_id, job_id) references jobs (tenant_id, id) on delete cascade';
export const OF_INCIDENT = 'foreign key (tenant_id, incident_id) references incidents (tenant_id, id) on delete cascade';

export function table<const Columns extends Table['columns']>(constraints: readonly string[], columns: Columns) {
  return { constraints, columns };
}

/** In their order: a table follows those that it refers to. */
export function createTables(tables: { readonly [table: string]: Table }): readonly string[] {
  return Object.entries(tables).map(([name, { constraints, columns }]) => {
    const typed = Object.entries(columns).map(([column, type]) =>
      type.endsWith('?') ? `${column} ${type.slice(0, -1)}` : `${column} ${type} not null`,
    );
    return `create table ${name} (${[...typed, ...constraints].join(', ')})`;
  });
}
