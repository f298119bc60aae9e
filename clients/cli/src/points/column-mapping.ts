// SPDX-License-Identifier: Apache-2.0
/** Which columns of a row are the id, the vectors and the payload of its point. */
import { type PointId, parsePointId } from '@sextant/contracts-vector';
import type { JsonValue } from '@sextant/foundation-std';
import type { Row } from '../rows/row-source.ts';
import { columnMatcher } from './column-matcher.ts';
import { cellValue, objectIn, payloadValue } from './payload-value.ts';
import { isVector, type NamedVectors, type NotFinite, readVector, type VectorValue } from './vector-value.ts';

/**
 * A vector from one column, or from all that match a pattern such as `pixel*`, one component each. Without a name it is the unnamed one. With a model it is
 * made by the service of the column's text, which stays in the payload.
 */
export type VectorColumn = { readonly name?: string | undefined; readonly column: string; readonly model?: string | undefined };

export type ColumnMapping = {
  /** Undefined: `id` where a row has it, else the row's number. */
  readonly id?: string | undefined;
  /** Empty: the column `vector`, or columns `vector.<name>` for named vectors. */
  readonly vectors: readonly VectorColumn[];
  /** The columns of the payload; undefined: all that are neither id nor vector. */
  readonly payload?: readonly string[] | undefined;
  /** Columns that stay text although they read as numbers or truth values. */
  readonly text: readonly string[];
  /** Whether cells are text by nature (delimited files), so that numbers among them have to be recognised. */
  readonly cellsAreText: boolean;
  /** The id of the first row where rows have none. */
  readonly firstId: number;
  /** For those who look for faults: any text is an id, components that are no finite numbers stay, and what JSON cannot say is null. */
  readonly keepsFaults?: boolean;
};

/** A point as it is sent; whether it suits the collection is for the service to say. */
export type NewPoint = {
  readonly id: PointId;
  readonly vector: VectorValue | NamedVectors;
  readonly payload: { readonly [key: string]: JsonValue };
};

/** Why a row gives no point; reads on from "row 7". */
export class RowFault extends Error {
  override readonly name = 'RowFault';
}

const PAYLOAD = 'payload';
const SHOWN_MAX = 60;

/** @param index the row's number, from 0. @throws {RowFault} */
export function pointOfRow(row: Row, index: number, mapping: ColumnMapping): NewPoint {
  const { vector, columns } = vectorsOf(row, mapping);
  const idColumn = mapping.id ?? ('id' in row ? 'id' : undefined);
  const id = idColumn === undefined ? mapping.firstId + index : idOf(row, idColumn, mapping);
  return { id, vector, payload: payloadOf(row, mapping, new Set([...columns, idColumn])) };
}

function idOf(row: Row, column: string, { keepsFaults = false }: ColumnMapping): PointId {
  const value = row[column];
  if (value === undefined || value === null) throw new RowFault(`has no column ${column} for its id`);
  const id = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? parsePointId(String(value)) : undefined;
  if (id !== undefined) return id;
  if (keepsFaults) return shown(value);
  throw new RowFault(`has the id ${shown(value)}; expected an integer from 0 to 18446744073709551615, or a UUID`);
}

type Vectors = { readonly vector: VectorValue | NamedVectors; readonly columns: readonly string[] };

function vectorsOf(row: Row, { vectors: wanted, keepsFaults = false }: ColumnMapping): Vectors {
  const notFinite = keepsFaults ? 'keep' : 'refuse';
  const candidates = wanted.length > 0 ? wanted : usualColumns(row);
  if (candidates.length === 0) throw new RowFault('has no vector; pass --vector with the column that holds it');
  // A point that was exported without one of its vectors has none there; who names a column wants a vector in it.
  const present = wanted.length > 0 ? wanted : candidates.filter(({ column }) => row[column] !== null);
  const found = present.map(({ name, column, model }) => ({
    name,
    ...(model === undefined ? vectorIn(row, column, notFinite) : textIn(row, column, model)),
  }));
  const columns = [
    ...candidates.flatMap(({ column, model }) => (model === undefined ? [column] : [])),
    ...found.flatMap(({ columns: own }) => own),
  ];
  const [first] = found;
  if (first !== undefined && first.name === undefined) return { vector: first.vector, columns };
  const named: { [name: string]: VectorValue } = {};
  for (const {
    name = '',
    vector,
    columns: [column = ''],
  } of found) {
    if (!isVector(vector)) throw new RowFault(`has several named vectors in ${column}, but --vector asks for one`);
    named[name] = vector;
  }
  return { vector: named, columns };
}

function usualColumns(row: Row): readonly VectorColumn[] {
  if (row.vector !== undefined) return [{ column: 'vector' }];
  const prefixed = Object.keys(row).filter((column) => column.startsWith('vector.'));
  return prefixed.map((column) => ({ name: column.slice('vector.'.length), column }));
}

function vectorIn(row: Row, column: string, notFinite: NotFinite): Vectors {
  if (column.includes('*')) return vectorAcross(row, column, notFinite);
  const value = row[column];
  if (value === undefined || value === null) throw new RowFault(`has no column ${column} for its vector`);
  const vector = readVector(value, notFinite);
  if (vector !== undefined) return { vector, columns: [column] };
  throw new RowFault(`has no vector in ${column}: expected a list of finite numbers, such as [0.1, 0.2], got ${shown(value)}`);
}

function textIn(row: Row, column: string, model: string): Vectors {
  const text = row[column];
  if (typeof text === 'string' && text.trim() !== '') return { vector: { text, model }, columns: [] };
  throw new RowFault(`has no text in ${column} for the model ${model}${text === undefined || text === null ? '' : `, but ${shown(text)}`}`);
}

function vectorAcross(row: Row, pattern: string, notFinite: NotFinite): Vectors {
  const columns = Object.keys(row).filter(columnMatcher(pattern));
  if (columns.length === 0) throw new RowFault(`has no column that matches ${pattern}`);
  const components = columns.map((column) => (row[column] === '' ? Number.NaN : Number(row[column] ?? Number.NaN)));
  if (notFinite === 'keep') return { vector: components, columns };
  const wrong = columns.find((_column, index) => !Number.isFinite(components[index]));
  if (wrong !== undefined) throw new RowFault(`has no number in ${wrong}, but ${shown(row[wrong])}`);
  return { vector: components, columns };
}

/** A `payload` that is an object, or the text of one, is taken apart, so that what was exported comes back as it was. */
function payloadOf(row: Row, mapping: ColumnMapping, taken: ReadonlySet<string | undefined>): NewPoint['payload'] {
  const columns = mapping.payload ?? Object.keys(row).filter((column) => !taken.has(column));
  const entries = columns.flatMap((column): readonly (readonly [string, JsonValue])[] => {
    const value = row[column];
    if (value === undefined) return [];
    const whole = column === PAYLOAD && mapping.payload === undefined ? objectIn(value) : undefined;
    if (whole !== undefined) return Object.entries(whole).map(([key, member]) => [key, converted(key, member, mapping)]);
    const isCell = mapping.cellsAreText && typeof value === 'string' && !mapping.text.includes(column);
    return [[column, isCell ? cellValue(value) : converted(column, value, mapping)]];
  });
  return Object.fromEntries(entries);
}

function converted(column: string, value: unknown, { keepsFaults = false }: ColumnMapping): JsonValue {
  const json = payloadValue(value);
  if (json !== undefined) return json;
  if (keepsFaults) return null;
  throw new RowFault(`has a value in ${column} that JSON cannot represent (${shown(value)}); pass --payload with the columns to import`);
}

function shown(value: unknown): string {
  const text =
    typeof value === 'object' && value !== null
      ? JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? String(member) : member))
      : String(value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
