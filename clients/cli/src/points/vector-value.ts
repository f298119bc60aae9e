// SPDX-License-Identifier: Apache-2.0
/** Vectors as files hold them: lists, typed arrays, or the JSON text of one. */
import { parseJson, shortestFloat32 } from '@sextant/foundation-std';

export type SparseVector = { readonly indices: readonly number[]; readonly values: readonly number[] };

/** A text of which the service makes a vector. */
export type TextValue = { readonly text: string; readonly model: string };

/** Dense, sparse, one point's several vectors, or a text in place of one. */
export type VectorValue = readonly number[] | readonly (readonly number[])[] | SparseVector | TextValue;

export type NamedVectors = { readonly [name: string]: VectorValue };

/** What becomes of components that are no finite numbers: the whole is no vector, or they stay as they are, with NaN for null. */
export type NotFinite = 'refuse' | 'keep';

/** Undefined when it is no vector and no map of named ones. Whether it suits a collection is for the service to say. */
export function readVector(value: unknown, notFinite: NotFinite = 'refuse'): VectorValue | NamedVectors | undefined {
  if (typeof value === 'string') return readText(value, notFinite);
  if (typeof value !== 'object' || value === null) return undefined;
  if (isListLike(value)) return readList(value, notFinite);
  return readSparse(value) ?? readNamed(value, notFinite);
}

function readText(text: string, notFinite: NotFinite): VectorValue | NamedVectors | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return readVector(parseJson(text), notFinite);
  } catch {
    return undefined;
  }
}

type ListLike = { readonly length: number; readonly [index: number]: unknown };

function isListLike(value: object): value is ListLike {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);
}

function readList(list: ListLike, notFinite: NotFinite): VectorValue | undefined {
  if (typeof list[0] === 'object' && list[0] !== null) {
    const vectors = Array.from(list, (vector) =>
      typeof vector === 'object' && vector !== null && isListLike(vector) ? components(vector, notFinite) : undefined,
    );
    return vectors.every((vector) => vector !== undefined) ? vectors : undefined;
  }
  return components(list, notFinite);
}

/** The service keeps float32, so a float32 that was widened to a double is written in its few digits: less than half the text. */
function components(list: ListLike, notFinite: NotFinite): readonly number[] | undefined {
  if (list.length === 0) return undefined;
  const numbers: number[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const component = list[index];
    const number = typeof component === 'bigint' ? Number(component) : component;
    if (notFinite === 'keep' && (number === null || (typeof number === 'number' && !Number.isFinite(number)))) {
      numbers.push(number ?? Number.NaN);
      continue;
    }
    if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
    numbers.push(Math.fround(number) === number ? shortestFloat32(number) : number);
  }
  return numbers;
}

function readSparse(value: object): SparseVector | undefined {
  if (!('indices' in value && 'values' in value) || Object.keys(value).length !== 2) return undefined;
  const { indices, values } = value;
  if (!Array.isArray(indices) || !Array.isArray(values)) return undefined;
  const areNumbers = [...indices, ...values].every((number) => typeof number === 'number' && Number.isFinite(number));
  return areNumbers && indices.length === values.length ? { indices, values } : undefined;
}

function readNamed(value: object, notFinite: NotFinite): NamedVectors | undefined {
  const named: { [name: string]: VectorValue } = {};
  for (const [name, member] of Object.entries(value)) {
    const vector = readVector(member, notFinite);
    if (vector === undefined || !isVector(vector)) return undefined;
    named[name] = vector;
  }
  return named;
}

/** Whether it is one vector, and no map of named ones. */
export function isVector(value: VectorValue | NamedVectors): value is VectorValue {
  return Array.isArray(value) || readSparse(value) !== undefined || isText(value);
}

/** A vector may have the name `text`; a text is one. */
export function isText(value: object): value is TextValue {
  return 'text' in value && typeof value.text === 'string';
}
