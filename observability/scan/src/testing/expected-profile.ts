// SPDX-License-Identifier: Apache-2.0
/** What a scan should find, computed row by row in plain TypeScript: the other side of the cross-check. */
import type { Table, TableColumn } from './table-arbitraries.ts';

/** `METRIC aggregation attribute segment` to the value. */
export type Profile = ReadonlyMap<string, number | null>;

export type Segments = { readonly [attribute: string]: readonly string[] };

export function profileKey(metric: string, aggregation: string, attribute: string | null, segment: string | null): string {
  return JSON.stringify([metric, aggregation, attribute, segment]);
}

export function expectedProfile(table: Table, segments: Segments): Profile {
  const profile = new Map<string, number | null>([
    [profileKey('SCHEMA', 'count', null, null), 0],
    [profileKey('REJECTED_ROWS', 'count', null, null), 0],
    [profileKey('REJECTED_ROWS', 'ratio', null, null), 0],
  ]);
  profileRows(profile, table, null);
  for (const [attribute, values] of Object.entries(segments)) {
    const index = table.columns.findIndex(({ name }) => name === attribute);
    for (const value of values) {
      const rows = table.rows.filter((row) => (row[index] ?? '__null__') === value);
      if (rows.length === 0) profile.set(profileKey('RECORD_COUNT', 'count', null, `${attribute}=${value}`), 0);
      else profileRows(profile, { ...table, rows }, `${attribute}=${value}`);
    }
  }
  return profile;
}

type Emit = (metric: string, aggregation: string, value: number | null) => void;

function profileRows(profile: Map<string, number | null>, { columns, rows }: Table, segment: string | null): void {
  const ofAsset: Emit = (metric, aggregation, value) => profile.set(profileKey(metric, aggregation, null, segment), value);
  ofAsset('RECORD_COUNT', 'count', rows.length);
  const sums = { COMPLETENESS: 0, NULL_PERCENTAGE: 0, EMPTY_PERCENTAGE: 0 };
  columns.forEach((column, index) => {
    const values = rows.map((row) => row[index] ?? null);
    const emit: Emit = (metric, aggregation, value) => profile.set(profileKey(metric, aggregation, column.name, segment), value);
    const present = values.filter((value) => value !== null);
    const empty = column.type === 'STRING' ? present.filter((value) => value === '').length : 0;
    const shares = {
      COMPLETENESS: (100 * (present.length - empty)) / rows.length,
      NULL_PERCENTAGE: (100 * (rows.length - present.length)) / rows.length,
      EMPTY_PERCENTAGE: (100 * empty) / rows.length,
    };
    for (const metric of ['COMPLETENESS', 'NULL_PERCENTAGE', 'EMPTY_PERCENTAGE'] as const) {
      emit(metric, 'ratio', shares[metric]);
      sums[metric] += shares[metric];
    }
    emitFrequencies(present, emit);
    emitStatistics(present, column, emit);
    if (column.type === 'STRING') emitCharacters(present, emit);
  });
  for (const metric of ['COMPLETENESS', 'NULL_PERCENTAGE', 'EMPTY_PERCENTAGE'] as const)
    ofAsset(metric, 'ratio', sums[metric] / columns.length);
  ofAsset('CORRECTNESS', 'ratio', 100);
}

function emitFrequencies(present: readonly string[], emit: Emit): void {
  const counts = ranked(present);
  const unique = counts.filter(([, count]) => count === 1).length;
  emit('DISTINCT_COUNT', 'count', counts.length);
  emit('DUPLICATE_COUNT', 'count', present.length - counts.length);
  emit('UNIQUENESS', 'ratio', present.length === 0 ? null : (100 * unique) / present.length);
  for (const [value, count] of counts.slice(0, 10)) emit('TOP_VALUE', value, count);
  for (const [value, count] of counts.slice(0, 20)) emit('VALUE_DISTRIBUTION', value, (100 * count) / present.length);
}

/** Values by how often they occur, equals by their bytes. */
function ranked(values: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function emitStatistics(present: readonly string[], { type }: TableColumn, emit: Emit): void {
  const isTime = type === 'DATE' || type === 'TIMESTAMP';
  if (!isTime && type !== 'INTEGER' && type !== 'DECIMAL') return;
  const numbers = present.map((value) => (isTime ? Date.parse(`${value.replace(' ', 'T')}${type === 'DATE' ? '' : 'Z'}`) : Number(value)));
  const sorted = [...numbers].sort((a, b) => a - b);
  const { mean, variance } = moments(numbers);
  emit('MIN', 'min', sorted[0] ?? null);
  emit('MAX', 'max', sorted.at(-1) ?? null);
  emit('MEAN', 'mean', numbers.length === 0 ? null : mean);
  emit('STDDEV', 'stddev', numbers.length < 2 ? null : Math.sqrt(variance));
  emit('MEDIAN', 'median', quantile(sorted, 0.5));
  for (const [aggregation, share] of [
    ['p05', 0.05],
    ['p25', 0.25],
    ['p75', 0.75],
    ['p95', 0.95],
  ] as const)
    emit('QUANTILE', aggregation, quantile(sorted, share));
}

/** Welford's running mean and variance, which lose no digits where values are large and near each other. */
function moments(numbers: readonly number[]): { readonly mean: number; readonly variance: number } {
  let [mean, squares] = [0, 0];
  numbers.forEach((value, index) => {
    const distance = value - mean;
    mean += distance / (index + 1);
    squares += distance * (value - mean);
  });
  return { mean, variance: squares / (numbers.length - 1) };
}

/** Between the neighbours of the place `(n - 1) * share`. */
function quantile(sorted: readonly number[], share: number): number | null {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  return below === undefined || above === undefined ? null : below + (above - below) * (place - Math.floor(place));
}

const CLASSES = [
  ['LETTER_COUNT', /\p{L}/gu],
  ['DIGIT_COUNT', /\p{Nd}/gu],
  ['SPACE_COUNT', /[ \t\n\r\f]/g],
  ['SPECIAL_CHARACTER_COUNT', /[^\p{L}\p{Nd} \t\n\r\f]/gu],
] as const;

function emitCharacters(present: readonly string[], emit: Emit): void {
  emitCounts(
    'LENGTH',
    present.map((text) => Array.from(text).length),
    emit,
  );
  if (present.length === 0) return;
  for (const [metric, members] of CLASSES)
    emitCounts(
      metric,
      present.map((text) => text.match(members)?.length ?? 0),
      emit,
    );
  const expanded = present.map((text) =>
    text
      .replace(/\p{L}/gu, 'L')
      .replace(/\p{Nd}/gu, 'D')
      .replace(/[ \t\n\r\f]/g, 'S'),
  );
  const compressed = expanded.map((pattern) => pattern.replace(/([LDS])\1+/g, '$1'));
  for (const [form, patterns] of [
    ['expanded', expanded],
    ['compressed', compressed],
  ] as const) {
    for (const [pattern, count] of ranked(patterns).slice(0, 10)) emit('PATTERN', `${form}:${pattern}`, (100 * count) / present.length);
  }
  emit('CONTAINS_PII', 'ratio', 0);
}

function emitCounts(metric: string, counts: readonly number[], emit: Emit): void {
  emit(metric, 'min', counts.length === 0 ? null : Math.min(...counts));
  emit(metric, 'max', counts.length === 0 ? null : Math.max(...counts));
  emit(metric, 'mean', counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0) / counts.length);
}
