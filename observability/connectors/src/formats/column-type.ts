// SPDX-License-Identifier: Apache-2.0
/** The narrowest type that the values of a sample have. */
import type { DataType, Reading } from '@sextant/contracts-observability';

/** What of a text's meaning depends on where it was written. */
export type TextConventions = Required<Pick<Reading, 'null_words' | 'decimal_separator' | 'date_format'>>;

/** Without leading zeros and plus signs: codes and telephone numbers are texts. HUGEINT holds 38 digits. */
const INTEGER = /^-?(0|[1-9]\d{0,37})$/;
/** Longer ones need HUGEINT. */
const INT64_DIGITS = 18;
const DECIMALS = {
  '.': /^-?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/,
  ',': /^-?((0|[1-9]\d*)(,\d*)?|,\d+)([eE][+-]?\d+)?$/,
};
const BOOLEAN = /^(true|false)$/i;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?( ?(Z|[+-]\d{2}(:?\d{2})?))?$/;

const PLAIN: TextConventions = { null_words: [], decimal_separator: '.', date_format: '%Y-%m-%d' };
/** A column keeps the type that all but so large a share of its values have, once there are enough of them; those few do not fit it. */
const MISFIT_SHARE = 0.01;

/** Of texts, as delimited files have them; empty ones say nothing, and nothing but empty ones is text. */
export function typeOfTexts(texts: readonly string[], conventions = PLAIN): DataType {
  const counts = new Map<DataType, number>();
  for (const text of texts) {
    if (text === '' || conventions.null_words.includes(text)) continue;
    const type = typeOfText(text, conventions);
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  const total = counts.values().reduce((sum, count) => sum + count, 0);
  const [usual] = [...counts].filter(([type, count]) => type !== 'STRING' && total - count <= total * MISFIT_SHARE);
  return usual?.[0] ?? commonType([...counts.keys()]);
}

function typeOfText(text: string, { decimal_separator, date_format }: TextConventions): DataType {
  const trimmed = text.trim();
  if (INTEGER.test(trimmed)) return 'INTEGER';
  if (DECIMALS[decimal_separator].test(trimmed)) return 'DECIMAL';
  if (BOOLEAN.test(trimmed)) return 'BOOLEAN';
  if (isDate(trimmed, date_format)) return 'DATE';
  return TIMESTAMP.test(trimmed) ? 'TIMESTAMP' : 'STRING';
}

/** Whether a text is a day that exists, as the format writes it. */
export function isDate(text: string, format: TextConventions['date_format']): boolean {
  if (format === '%Y-%m-%d') return ISO_DATE.test(text) && isDay(text);
  const parts = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})$/.exec(text);
  if (parts === null || parts[2] !== format[2]) return ISO_DATE.test(text) && isDay(text);
  const order = format.replaceAll(/[^Ymd]/g, '');
  const at = (letter: string): string => parts[[1, 3, 4][order.indexOf(letter)] ?? 0] ?? '';
  return (
    at('Y').length === 4 &&
    at('m').length <= 2 &&
    at('d').length <= 2 &&
    isDay(`${at('Y')}-${at('m').padStart(2, '0')}-${at('d').padStart(2, '0')}`)
  );
}

function isDay(iso: string): boolean {
  const time = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === iso;
}

/** Of values that JSON holds. Texts that are dates are dates; null says nothing. */
export function typeOfValues(values: readonly unknown[]): DataType {
  return commonType([...new Set(values.filter((value) => value !== null && value !== undefined).map(typeOfValue))]);
}

function typeOfValue(value: unknown): DataType {
  if (typeof value === 'bigint') return 'INTEGER';
  if (typeof value === 'number') return Number.isInteger(value) ? 'INTEGER' : 'DECIMAL';
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (typeof value !== 'string') return 'OTHER';
  if (ISO_DATE.test(value) && isDay(value)) return 'DATE';
  return TIMESTAMP.test(value) ? 'TIMESTAMP' : 'STRING';
}

function commonType(distinct: readonly DataType[]): DataType {
  const [only] = distinct;
  if (only === undefined) return 'STRING';
  if (distinct.length === 1) return only;
  const isWithin = (...members: readonly DataType[]) => distinct.every((type) => members.includes(type));
  if (isWithin('INTEGER', 'DECIMAL')) return 'DECIMAL';
  if (isWithin('DATE', 'TIMESTAMP')) return 'TIMESTAMP';
  return distinct.includes('OTHER') ? 'OTHER' : 'STRING';
}

/** Whether integers among the texts need more than 64 bits. */
export function hasWideInteger(texts: readonly string[]): boolean {
  return texts.some((text) => text.length > INT64_DIGITS && INTEGER.test(text.trim()));
}
