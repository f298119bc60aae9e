// SPDX-License-Identifier: Apache-2.0
/** What a hostile file is, and what many of them share. */
import type { Reading } from '@sextant/contracts-observability';

export type HostileFile = {
  readonly kind: string;
  readonly name?: string;
  readonly content: string | Uint8Array;
  readonly reading?: Reading;
  readonly expected: Right | Refused;
};

export type HostileKinds = { readonly [kind: string]: readonly HostileFile[] };

export type Right = {
  /** Names with their types, as `a INTEGER`. */
  readonly columns: readonly string[];
  /** Values as text; null is none. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly rejected?: number;
  readonly mismatches?: { readonly [column: string]: number };
};
export type Refused = { readonly refused: RegExp };

/** The table that `lines` write. */
export const TABLE: Right = {
  columns: ['id INTEGER', 'name STRING', 'price DECIMAL'],
  rows: [
    ['1', 'Ann', '1.5'],
    ['2', 'Bob', '2.25'],
    ['3', 'Cy', '3.0'],
  ],
};
const LINES = [
  ['id', 'name', 'price'],
  ['1', 'Ann', '1.5'],
  ['2', 'Bob', '2.25'],
  ['3', 'Cy', '3.0'],
] as const;

export function lines({ separator = ',', end = '\n', header = true, quote = '' } = {}): string {
  const rows = header ? LINES : LINES.slice(1);
  return rows.map((row) => row.map((cell) => quote + cell + quote).join(separator) + end).join('');
}

export const WITHOUT_HEADER: Right = { ...TABLE, columns: ['column0 INTEGER', 'column1 STRING', 'column2 DECIMAL'] };
export const NAMES = ['id INTEGER', 'name STRING'];
export const two = (...names: string[]): Right => ({ columns: NAMES, rows: names.map((name, index) => [String(index + 1), name]) });
/** A text and none. */
export const TEXT_ROWS: Right = {
  columns: NAMES,
  rows: [
    ['1', 'Żółw'],
    ['2', null],
  ],
};
export const MANY = `id,name\n${Array.from({ length: 20_000 }, (_, index) => `${index},value ${(index * 7919) % 10_007}`).join('\n')}\n`;

export function rowsOfMany(): readonly (readonly string[])[] {
  return MANY.trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
}
