// SPDX-License-Identifier: Apache-2.0
/** Missing values, spelled out or left empty. */
import type { ColumnValues } from './column-values.ts';
import { isNumber, shapeOf } from './patterns.ts';
import type { ValueSuspicion } from './suspicion.ts';

/** The spellings that pandas and R read as missing (`pandas.read_csv`, `na_values`), and what people type. */
const ALWAYS = new Set([
  'n/a',
  '#n/a',
  '#n/a n/a',
  '#na',
  'na',
  '<na>',
  'nan',
  '-nan',
  'null',
  'nil',
  '-',
  '--',
  '---',
  '?',
  '??',
  '.',
  '..',
  '_',
  'n.a.',
  'n.a',
  '#value!',
  '#ref!',
  '#div/0!',
  '(null)',
  '\\n',
  'tbd',
  'xxx',
]);
/** Words that are values of their own in many columns. */
const WORDS = new Set([
  'none',
  'unknown',
  'missing',
  'not available',
  'undefined',
  'empty',
  'blank',
  'unspecified',
  'not specified',
  'no data',
  'not known',
  'default',
  'dummy',
  'test',
  'x',
]);
/** Numbers and dates that stand for nothing where they are far from all others (FAHES: Qahtan et al., KDD 2018). */
const SENTINEL = /^(-?9{3,}(\.0+)?|-1(\.0+)?|-?8{4,})$|^(1900-01-01|1970-01-01|9999-12-31|0000-00-00|01\/01\/1900|01\/01\/1970)/;

/** Up to here gaps are taken for faults: five per cent is what Schafer (1999) calls inconsequential. */
export const RARE = 0.05;
/** A spelling above this share is how the column says it. */
const COMMON = 0.5;

/** The column without the values that are written for missing ones, for the detectors that look at what is there. */
export function withoutMissing(column: ColumnValues): ColumnValues {
  const values = column.values.filter(({ value }) =>
    value.trim().toLowerCase() === 'na' ? isAmongCodes(column.values) : !ALWAYS.has(value.trim().toLowerCase()),
  );
  return { ...column, values, present: values.reduce((sum, { count }) => sum + count, 0) };
}

/** Two letters are a code among codes: NA is Namibia, and the sodium of chemists. */
function isAmongCodes(values: ColumnValues['values']): boolean {
  return values.some(({ value }) => value.toLowerCase() !== 'na' && /^[A-Za-z]{2,3}$/.test(value));
}

export function missingValues(column: ColumnValues): readonly ValueSuspicion[] {
  const { rows, present, values } = column;
  const found: ValueSuspicion[] = [];
  const empty = rows - present;
  if (empty > 0 && empty <= RARE * rows) {
    found.push({
      detector: 'missing',
      value: null,
      score: 0.6,
      reason: `empty, though ${percent(present / rows)} of the rows have a value`,
    });
  }
  const numeric = values.reduce((sum, { value, count }) => sum + (isNumber(value) ? count : 0), 0) >= COMMON * present;
  const bulk = numeric ? bulkOf(column) : undefined;
  for (const { value, count } of values) {
    const spelling = value.trim().toLowerCase();
    const share = count / Math.max(1, present);
    if (share > COMMON) continue;
    const spelled = ALWAYS.has(spelling) && !(spelling === 'na' && isAmongCodes(values));
    const word = WORDS.has(spelling) && (numeric || share <= RARE);
    const sentinel = SENTINEL.test(spelling) && share <= RARE && isFarOff(Number(value), bulk, values, value);
    if (spelled || sentinel || word) {
      const score = spelled ? 0.9 : sentinel ? 0.8 : 0.6;
      found.push({ detector: 'missing', value, score, reason: `"${value}" stands for a missing value` });
    }
  }
  return found;
}

type Bulk = { readonly low: number; readonly high: number };

/** Where the middle 90 per cent of the numbers lie. */
function bulkOf({ values }: ColumnValues): Bulk | undefined {
  const numbers = values
    .filter(({ value }) => isNumber(value))
    .map(({ value, count }) => ({ number: Number(value), count }))
    .sort((a, b) => a.number - b.number);
  const total = numbers.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  let low: number | undefined;
  for (const { number, count } of numbers) {
    seen += count;
    if (low === undefined && seen >= 0.05 * total) low = number;
    if (seen >= 0.95 * total) return { low: low ?? number, high: number };
  }
  return undefined;
}

function isFarOff(number: number, bulk: Bulk | undefined, values: ColumnValues['values'], value: string): boolean {
  if (Number.isNaN(number))
    return values.every((other) => other.value === value || shapeOf(other.value) === shapeOf(value) || other.count <= 1);
  if (bulk === undefined) return false;
  const width = Math.max(bulk.high - bulk.low, Math.abs(bulk.high) * 0.1);
  // A minus one is outside where nothing else is negative.
  return (
    number > bulk.high + 2 * width ||
    (number < 0 && values.every((other) => other.value === value || !other.value.startsWith('-'))) ||
    number < bulk.low - 2 * width
  );
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0.99 && share < 1 ? 2 : 1)} %`;
}
