// SPDX-License-Identifier: Apache-2.0
/**
 * Faults as real tables have them: not spread evenly over all cells and kinds, but a few habits, each with its columns and its share. A program wrote the
 * dates of one source in another way, one clerk writes units, a form had no field for the state, a scanner misread letters everywhere.
 */
import type { Random } from '@sextant/foundation-std';
import { changed, DATE, damagedEncoding, oneOf, reformatted, type Spoiled, typo } from './faults.ts';
import type { TextTable } from './text-table.ts';

type Cells = string[][];
type Change = { readonly row: number; readonly column: number; readonly value: string };
type Context = { readonly table: TextTable; readonly random: Random };
/** What one habit makes of one row; its choices (a unit, a spelling) are drawn once. */
type Habit = {
  readonly name: string;
  /** Whether values of this column can have the fault. */
  readonly suits: (profile: ColumnProfile) => boolean;
  readonly start: (column: number, context: Context) => (row: readonly string[], at: number) => readonly Change[];
  /** Shares of the column's cells between which one is drawn, evenly on a logarithmic scale. */
  readonly shares: readonly [number, number];
  /** Slips come in all columns that suit, not in one. */
  readonly everywhere?: boolean;
};
type ColumnProfile = {
  readonly index: number;
  readonly numbers: number;
  readonly words: number;
  readonly dates: number;
  readonly distinct: number;
  readonly filled: number;
  readonly meanLength: number;
};

const NUMBER = /^-?\d+(\.\d+)?$/;
const SPELLINGS = ['N/A', '-', 'null', 'NULL', 'NaN', '?', 'unknown', 'none', '9999', 'not available', 'n.a.', ''];
const UNITS = [
  [' oz', ' oz.', ' ounce', ' OZ'],
  [' kg', 'kg', ' Kg'],
  [' USD', ' usd'],
  [' cm', ' cm.', 'cm'],
  [' units', ' unit'],
];
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/\bInternational\b/, 'Intl'],
  [/\bUniversity\b/, 'Univ.'],
  [/\bAirport\b/, 'Arpt'],
  [/\bStreet\b/, 'St'],
  [/\bSaint\b/, 'St.'],
  [/\bCounty\b/, 'Cnty'],
  [/\bNational\b/, "Nat'l"],
  [/\bCompany\b/, 'Co.'],
  [/\bAmerican?\b/, 'Am.'],
  [/\band\b/, '&'],
];

const number = ({ numbers }: ColumnProfile): boolean => numbers >= 0.9;
const word = ({ words, meanLength }: ColumnProfile): boolean => words >= 0.8 && meanLength >= 4;
const filled = ({ filled }: ColumnProfile): boolean => filled >= 0.3;
const one = (make: (value: string, context: Context) => string | undefined): Habit['start'] => {
  return (column, context) => (row, at) => {
    const value = row[column] ?? '';
    const made = value === '' ? undefined : make(value, context);
    return made === undefined || made === value ? [] : [{ row: at, column, value: made }];
  };
};

const HABITS: readonly Habit[] = [
  {
    name: 'letter replaced',
    suits: word,
    everywhere: true,
    shares: [0.005, 0.06],
    start: one((value, { random }) => {
      const at = random.integer(value.length);
      return /\p{L}/u.test(value[at] ?? '') ? `${value.slice(0, at)}${'xqzkw'[random.integer(5)]}${value.slice(at + 1)}` : undefined;
    }),
  },
  {
    name: 'typos',
    suits: word,
    shares: [0.005, 0.06],
    start: one((value, { table, random }) => typo(value, { table, row: 0, column: 0 }, random)),
  },
  { name: 'dates in another format', suits: ({ dates }) => dates >= 0.8, shares: [0.01, 0.6], start: dateHabit },
  {
    name: 'dependency broken',
    suits: ({ words, distinct, filled: own }) => words >= 0.8 && distinct <= 0.3 && distinct > 0 && own >= 0.5,
    shares: [0.005, 0.08],
    start: (column, { table, random }) => {
      return (row, at) => {
        const other = table.rows[random.integer(table.rows.length)]?.[column] ?? '';
        return other === '' || other === row[column] || row[column] === '' ? [] : [{ row: at, column, value: other }];
      };
    },
  },
  {
    name: 'missing, spelled',
    suits: filled,
    shares: [0.005, 0.1],
    start: (column, context) => {
      const spelling = oneOf(SPELLINGS, context.random);
      return one(() => spelling)(column, context);
    },
  },
  {
    name: 'swapped columns',
    suits: filled,
    shares: [0.005, 0.05],
    start: (column, { table, random }) => {
      const other = column + 1 < table.columns.length ? column + 1 : Math.max(0, column - 1 - random.integer(1));
      return (row, at) => {
        const [a = '', b = ''] = [row[column], row[other]];
        return a === b || a === '' || b === ''
          ? []
          : [
              { row: at, column, value: b },
              { row: at, column: other, value: a },
            ];
      };
    },
  },
  {
    name: 'unit added',
    suits: number,
    shares: [0.02, 1],
    start: (column, context) => {
      const units = oneOf(UNITS, context.random);
      return one((value, { random }) => value + oneOf(units, random))(column, context);
    },
  },
  { name: 'per cent added', suits: number, shares: [0.01, 0.4], start: one((value) => `${value}%`) },
  {
    name: 'shortened names',
    suits: ({ words, meanLength }) => words >= 0.8 && meanLength >= 8,
    shares: [0.01, 0.3],
    start: one((value) => {
      const rule = SHORT.find(([pattern]) => pattern.test(value));
      if (rule !== undefined) return value.replace(...rule);
      const person = /^(\p{Lu})\p{Ll}+ (\p{Lu}\p{Ll}+)$/u.exec(value);
      return person === null ? undefined : `${person[1]}. ${person[2]}`;
    }),
  },
  {
    name: 'capitals',
    suits: word,
    shares: [0.01, 0.3],
    start: one((value) => changed(value, value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase())),
  },
  {
    name: 'whole number with a decimal',
    suits: number,
    shares: [0.02, 0.4],
    start: one((value) => (/^-?\d+$/.test(value) ? `${value}.0` : undefined)),
  },
  {
    name: 'leading zero lost or put',
    suits: number,
    shares: [0.01, 0.3],
    start: one((value) => (/^0\d+/.test(value) ? value.slice(1) : /^\d+$/.test(value) ? `0${value}` : undefined)),
  },
  {
    name: 'thousands separated',
    suits: number,
    shares: [0.02, 0.5],
    start: one((value) => (Number(value) >= 1000 ? value.replace(/\B(?=(\d{3})+(?!\d))/g, ',') : undefined)),
  },
  {
    name: 'arithmetic noise',
    suits: number,
    shares: [0.005, 0.2],
    start: one((value) => (/\.\d{1,3}$/.test(value) ? `${value.padEnd(value.indexOf('.') + 4, '0')}00000000001` : undefined)),
  },
  {
    name: 'two columns in one',
    suits: ({ words, distinct }) => words >= 0.8 && distinct <= 0.8,
    shares: [0.01, 0.06],
    start: (column, { table }) => {
      const other = column + 1 < table.columns.length ? column + 1 : column - 1;
      return (row, at) => {
        const [a = '', b = ''] = [row[column], row[other]];
        return a === '' || b === ''
          ? []
          : [
              { row: at, column, value: `${a} ${b}` },
              { row: at, column: other, value: '' },
            ];
      };
    },
  },
  { name: 'wrong encoding', suits: word, shares: [0.005, 0.05], start: one((value) => damagedEncoding(value)) },
  {
    name: 'spaces',
    suits: filled,
    shares: [0.01, 0.3],
    start: one((value, { random }) => (random.next() < 0.7 ? `${value} ` : ` ${value}`)),
  },
  {
    name: 'scale',
    suits: number,
    shares: [0.005, 0.03],
    start: one((value) => (Number(value) === 0 ? undefined : String(Number(value) * 1000))),
  },
];

/** Between three and six habits, of different kinds, in columns that suit them. */
export function spoilByHabits(table: TextTable, random: Random): Spoiled {
  const rows: Cells = table.rows.map((row) => [...row]);
  const faults = new Map<string, string>();
  const profiles = table.columns.map((_, index) => profileOf(table, index));
  const possible = HABITS.filter(({ suits }) => profiles.some(suits));
  const wanted = Math.min(possible.length, 3 + random.integer(4));
  const chosen = new Set<Habit>();
  while (chosen.size < wanted) chosen.add(oneOf(possible, random));
  for (const { name, suits, start, shares, everywhere } of chosen) {
    const suited = profiles.filter(suits).map(({ index }) => index);
    for (const column of everywhere === true ? suited : [oneOf(suited, random)]) {
      const share = shares[0] * (shares[1] / shares[0]) ** random.next();
      const make = start(column, { table, random });
      for (const [at, row] of table.rows.entries()) {
        if (random.next() >= share) continue;
        const changes = make(row, at);
        // A cell has one fault.
        if (changes.some((change) => faults.has(`${change.row}:${change.column}`))) continue;
        for (const { row, column, value } of changes) {
          const own = rows[row];
          if (own === undefined || own[column] === value) continue;
          own[column] = value;
          faults.set(`${row}:${column}`, name);
        }
      }
    }
  }
  return { table: { ...table, rows }, faults };
}

function dateHabit(column: number, context: Context): ReturnType<Habit['start']> {
  const form = context.random.integer(4);
  return one((value) => {
    const date = DATE.exec(value);
    if (date === null) return reformatted(value);
    const [, year = '', month = '', day = ''] = date;
    if (form === 0) return `${Number(month)}/${Number(day)}/${year.slice(2)}`;
    if (form === 1) return `${day}.${month}.${year}`;
    return form === 2 ? `${month}/${day}/${year}` : `${year}${month}${day}`;
  })(column, context);
}

function profileOf({ rows }: TextTable, index: number): ColumnProfile {
  const values = rows.map((row) => row[index] ?? '').filter((value) => value !== '');
  const share = (pattern: RegExp): number => values.filter((value) => pattern.test(value)).length / Math.max(1, values.length);
  return {
    index,
    numbers: share(NUMBER),
    words: share(/\p{L}{2}/u),
    dates: share(DATE),
    distinct: new Set(values).size / Math.max(1, values.length),
    filled: values.length / Math.max(1, rows.length),
    meanLength: values.reduce((sum, { length }) => sum + length, 0) / Math.max(1, values.length),
  };
}
