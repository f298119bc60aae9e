/** The narrowest type that all values of a sample have. */
import type { DataType } from '@sextant/contracts-observability';

const INTEGER = /^[+-]?\d{1,18}$/;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const BOOLEAN = /^(true|false)$/i;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?( ?(Z|[+-]\d{2}(:?\d{2})?))?$/;

/** Of texts, as delimited files have them; empty ones say nothing, and nothing but empty ones is text. */
export function typeOfTexts(texts: readonly string[]): DataType {
  return commonType(texts.filter((text) => text !== '').map(typeOfText));
}

function typeOfText(text: string): DataType {
  const trimmed = text.trim();
  if (INTEGER.test(trimmed)) return 'INTEGER';
  if (DECIMAL.test(trimmed)) return 'DECIMAL';
  if (BOOLEAN.test(trimmed)) return 'BOOLEAN';
  if (DATE.test(trimmed)) return 'DATE';
  return TIMESTAMP.test(trimmed) ? 'TIMESTAMP' : 'STRING';
}

/** Of values that JSON holds. Texts that are dates are dates; null says nothing. */
export function typeOfValues(values: readonly unknown[]): DataType {
  return commonType(values.filter((value) => value !== null && value !== undefined).map(typeOfValue));
}

function typeOfValue(value: unknown): DataType {
  if (typeof value === 'bigint') return 'INTEGER';
  if (typeof value === 'number') return Number.isInteger(value) ? 'INTEGER' : 'DECIMAL';
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (typeof value !== 'string') return 'OTHER';
  if (DATE.test(value)) return 'DATE';
  return TIMESTAMP.test(value) ? 'TIMESTAMP' : 'STRING';
}

function commonType(types: readonly DataType[]): DataType {
  const distinct = new Set(types);
  const [only] = distinct;
  if (only === undefined) return 'STRING';
  if (distinct.size === 1) return only;
  const isWithin = (...members: readonly DataType[]) => [...distinct].every((type) => members.includes(type));
  if (isWithin('INTEGER', 'DECIMAL')) return 'DECIMAL';
  if (isWithin('DATE', 'TIMESTAMP')) return 'TIMESTAMP';
  return distinct.has('OTHER') ? 'OTHER' : 'STRING';
}
