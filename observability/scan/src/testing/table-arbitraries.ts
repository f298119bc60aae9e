// SPDX-License-Identifier: Apache-2.0
/** Generated tables: nulls, empty strings, other scripts, integers beyond 64 bits, old dates, columns with hostile names. */
import type { DataType } from '@sextant/contracts-observability';
import fc from 'fast-check';

export type TableColumn = {
  readonly name: string;
  readonly type: DataType;
  /** The type of a column of a Parquet file. */
  readonly duckdbType: string;
  readonly postgresqlType: string;
};

/** Values are written as both engines show them; null is none. */
export type Table = { readonly columns: readonly TableColumn[]; readonly rows: readonly (readonly (string | null)[])[] };

export const TEXT = 'we"ird; name\'é';

const COLUMNS: readonly TableColumn[] = [
  { name: 'id', type: 'INTEGER', duckdbType: 'BIGINT', postgresqlType: 'bigint' },
  { name: TEXT, type: 'STRING', duckdbType: 'VARCHAR', postgresqlType: 'text' },
  { name: 'huge', type: 'INTEGER', duckdbType: 'DECIMAL(38, 0)', postgresqlType: 'numeric' },
  { name: 'select', type: 'DECIMAL', duckdbType: 'DOUBLE', postgresqlType: 'double precision' },
  { name: 'day', type: 'DATE', duckdbType: 'DATE', postgresqlType: 'date' },
  { name: 'at', type: 'TIMESTAMP', duckdbType: 'TIMESTAMP', postgresqlType: 'timestamp without time zone' },
  { name: 'flag', type: 'BOOLEAN', duckdbType: 'BOOLEAN', postgresqlType: 'boolean' },
];

const ASCII = ['a', 'B', 'z', 'L', 'D', 'S', '0', '7', ' ', '-', '.', '"', "'", ',', ';', '\\', '$', '\n', '\t', '€', '😀'];
const OTHER_LETTERS = ['é', 'ß', 'Ж', '日', 'ا', '٣'];

const DAY_MS = 86_400_000;
const [FIRST_DAY, LAST_DAY] = [Date.UTC(1500, 0, 1) / DAY_MS, Date.UTC(2999, 11, 31) / DAY_MS];

/** PostgreSQL knows the letters of its locale alone, so its tables keep to the letters of ASCII. */
export function tables(letters: 'ascii' | 'all'): fc.Arbitrary<Table> {
  const character = fc.constantFrom(...ASCII, ...(letters === 'all' ? OTHER_LETTERS : []));
  // The first letter keeps a text from being read as a number or a date.
  const text = fc.array(character, { maxLength: 8 }).map((characters) => `w${characters.join('')}`);
  const day = fc.integer({ min: FIRST_DAY, max: LAST_DAY }).map((days) => new Date(days * DAY_MS).toISOString());
  const values = [
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.constant('') }),
    fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }).map(String),
    // Binary fractions, which every engine writes alike.
    fc.integer({ min: -(10 ** 8), max: 10 ** 8 }).map((n) => String(n / 64)),
    day.map((iso) => iso.slice(0, 10)),
    fc
      .tuple(day, fc.integer({ min: 0, max: DAY_MS / 1000 - 1 }))
      .map(([iso, seconds]) => new Date(Date.parse(iso) + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')),
    fc.boolean().map(String),
  ];
  // Few different values make duplicates; the first row has a value everywhere, so that the type of no column is in doubt.
  const pools = fc.tuple(...values.map((value) => fc.array(value, { minLength: 2, maxLength: 12 })));
  const choices = fc.array(fc.array(fc.nat(), { minLength: COLUMNS.length, maxLength: COLUMNS.length }), { minLength: 1, maxLength: 40 });
  return fc.tuple(pools, choices).map(([pool, rows]) => ({
    columns: COLUMNS,
    rows: rows.map((row, index) => row.map((choice, column) => valueAt(pool[column] ?? [], index === 0 ? 0 : choice, column))),
  }));
}

function valueAt(pool: readonly string[], choice: number, column: number): string | null {
  if (choice === 0) return column === 1 ? 'w first' : (pool[0] ?? null);
  return choice % 5 === 0 ? null : (pool[choice % pool.length] ?? null);
}
