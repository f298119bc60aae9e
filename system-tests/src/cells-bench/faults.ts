// SPDX-License-Identifier: Apache-2.0
/** Faults of the kinds that people and programs make, put into clean tables from a seed. */
import type { Random } from '@sextant/foundation-std';
import type { TextTable } from './text-table.ts';

export type FaultKind = {
  readonly name: string;
  /** The faulty value, undefined where the cell cannot have this fault. */
  readonly spoil: (value: string, place: Place, random: Random) => string | undefined;
};

type Place = { readonly table: TextTable; readonly row: number; readonly column: number };

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const MISSING = ['N/A', '-', 'null', 'NaN', '?', '9999'];
const NUMBER = /^-?\d+(\.\d+)?$/;
/** An ISO date. */
export const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const UNITS = [' kg', ' USD', '%', ' units', ' m'];

export const FAULT_KINDS: readonly FaultKind[] = [
  { name: 'typo', spoil: typo },
  { name: 'emptied', spoil: (value) => (value === '' ? undefined : '') },
  { name: 'missing, spelled out', spoil: (value, _place, random) => (value === '' ? undefined : oneOf(MISSING, random)) },
  { name: 'another value of the column', spoil: anotherValue },
  { name: 'another format', spoil: (value) => reformatted(value) },
  { name: 'unit added', spoil: (value, _place, random) => (NUMBER.test(value) ? `${value}${oneOf(UNITS, random)}` : undefined) },
  { name: 'scale (x 1000)', spoil: (value) => (NUMBER.test(value) && Number(value) !== 0 ? String(Number(value) * 1000) : undefined) },
  {
    name: 'case',
    spoil: (value) =>
      /\p{L}{3}/u.test(value) ? changed(value, value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase()) : undefined,
  },
  { name: 'spaces', spoil: (value, _place, random) => (value === '' ? undefined : random.next() < 0.5 ? ` ${value}` : `${value} `) },
  { name: 'swapped columns', spoil: swapped },
  { name: 'digit changed', spoil: digit },
  {
    name: 'cut off',
    spoil: (value) => (value.length >= 6 ? changed(value, value.slice(0, Math.ceil(value.length / 2)).trim()) : undefined),
  },
  { name: 'wrong encoding', spoil: damagedEncoding },
];

export function typo(value: string, _place: Place, random: Random): string | undefined {
  if (!/\p{L}{3}/u.test(value)) return undefined;
  const at = random.integer(value.length);
  const letter = LETTERS[random.integer(LETTERS.length)] ?? 'x';
  const forms = [
    value.slice(0, at) + letter + value.slice(at + 1),
    value.slice(0, at) + value.slice(at + 1),
    value.slice(0, at) + letter + value.slice(at),
    value.slice(0, at) + (value[at + 1] ?? '') + (value[at] ?? '') + value.slice(at + 2),
  ];
  return changed(value, oneOf(forms, random));
}

function anotherValue(value: string, { table, column }: Place, random: Random): string | undefined {
  const other = table.rows[random.integer(table.rows.length)]?.[column];
  return other === undefined || other === '' ? undefined : changed(value, other);
}

export function reformatted(value: string): string | undefined {
  const date = DATE.exec(value);
  if (date !== null)
    return Number(date[3]) % 2 === 0 ? `${date[2]}/${date[3]}/${date[1]}` : `${Number(date[3])} ${MONTHS[Number(date[2]) - 1]} ${date[1]}`;
  if (/^\d{4,}$/.test(value) && !/^(19|20)\d\d$/.test(value)) return Number(value).toLocaleString('en-US');
  if (/^\d+\.\d+$/.test(value)) return value.replace('.', ',');
  const time = /^(\d\d):(\d\d)/.exec(value);
  return time === null ? undefined : `${Number(time[1]) % 12 || 12}:${time[2]} ${Number(time[1]) < 12 ? 'am' : 'pm'}`;
}

export function damagedEncoding(value: string): string | undefined {
  return /[aeou]/.test(value) && !NUMBER.test(value) ? value.replace(/[aeou]/, 'Ã©') : undefined;
}

function swapped(value: string, { table, row, column }: Place): string | undefined {
  const other = table.rows[row]?.[column + 1 < table.columns.length ? column + 1 : column - 1];
  return other === undefined || other === '' ? undefined : changed(value, other);
}

function digit(value: string, _place: Place, random: Random): string | undefined {
  const places = [...value.matchAll(/\d/g)].map(({ index }) => index);
  const at = places[random.integer(places.length)];
  return at === undefined ? undefined : value.slice(0, at) + String((Number(value[at]) + 1 + random.integer(9)) % 10) + value.slice(at + 1);
}

export function changed(value: string, other: string): string | undefined {
  return other === value || other === '' ? undefined : other;
}

export function oneOf<T>(choices: readonly T[], random: Random): T {
  const choice = choices[random.integer(choices.length)];
  if (choice === undefined) throw new Error('there is nothing to choose from');
  return choice;
}

export type Spoiled = { readonly table: TextTable /** Fault kinds by `row:column`. */; readonly faults: ReadonlyMap<string, string> };

/** Spoils this share of the cells, of each kind equally many, at most once each. */
export function spoil(table: TextTable, kinds: readonly FaultKind[], share: number, random: Random): Spoiled {
  const rows = table.rows.map((row) => [...row]);
  const faults = new Map<string, string>();
  const wanted = Math.max(1, Math.round((share * table.rows.length * table.columns.length) / kinds.length));
  for (const { name, spoil: spoiled } of kinds) {
    // A kind that hardly any cell can have would else be tried forever.
    for (let made = 0, tries = 0; made < wanted && tries < 40 * wanted; tries += 1) {
      const row = random.integer(rows.length);
      const column = random.integer(table.columns.length);
      const value = table.rows[row]?.[column] ?? '';
      const key = `${row}:${column}`;
      if (faults.has(key)) continue;
      const faulty = spoiled(value, { table, row, column }, random);
      const own = rows[row];
      if (faulty === undefined || faulty === value || own === undefined) continue;
      own[column] = faulty;
      faults.set(key, name);
      made += 1;
    }
  }
  return { table: { ...table, rows }, faults };
}
