// SPDX-License-Identifier: Apache-2.0
/** A valid value for each field of the protocol, by the field's name, and the values that a hostile or careless client puts in its place. */
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';

/** The collection that the calls of the fuzz test read and write. */
export const COLLECTION = 'fuzz';
/** For calls that change or delete a collection's configuration. */
export const SPARE = 'spare';
export const DIMENSION = 4;
export const VECTOR = [0.5, 0.25, 0.125, 1];

const WORDS: { readonly [field: string]: string } = {
  collection_name: COLLECTION,
  collection: COLLECTION,
  alias_name: 'alias',
  old_alias_name: 'alias',
  new_alias_name: 'renamed',
  vector_name: 'other',
  using: 'other',
  has_vector: 'other',
  key: 'n',
  group_by: 'n',
  field_name: 'm',
  variable: 'n',
  to: 'place',
  datetime_key: 'at',
  datetime: '2024-01-02T03:04:05Z',
  uuid: '6f1a9d0e-6a2b-4c55-9f0e-0d0f6a5b7c11',
  model: 'qdrant/bm25',
  language: 'english',
};

const NUMBERS: { readonly [field: string]: number } = {
  limit: 3,
  sample: 5,
  size: DIMENSION,
  m: 8,
  ef_construct: 16,
  hnsw_ef: 32,
  group_size: 2,
  total: 2,
  index: 1,
  k: 2,
  candidates_limit: 10,
  oversampling: 2,
  quantile: 0.9,
  radius: 1000,
  nanos: 0,
  vectors_count: 1,
  min_token_len: 2,
  max_token_len: 20,
};

/** Lists whose length or contents matter. */
const LISTS: { readonly [field: string]: readonly unknown[] } = {
  vector: VECTOR,
  data: VECTOR,
  'qdrant.SparseIndices.data': [3, 7, 9, 11],
  indices: [3, 7],
  values: [0.5, 1],
  weights: [1],
  keys: ['n'],
  fields: ['n'],
  names: ['other'],
  languages: ['english'],
  strings: ['red'],
  integers: [1n],
};

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;
const INT32_MAX = 2 ** 31 - 1;
const UINT32_MAX = 2 ** 32 - 1;
const FLOAT_MAX = 3.4e38;
const OUTSIDE_ENUM = 999;

/** A valid value for a scalar field, or for one item of a list or map of scalars. */
export function validScalar(field: DescField, type: ScalarType): unknown {
  switch (type) {
    case ScalarType.STRING:
      return WORDS[field.name] ?? 'red';
    case ScalarType.BOOL:
      return true;
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return NUMBERS[field.name] ?? 0.5;
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return BigInt(NUMBERS[field.name] ?? 1);
    default:
      return NUMBERS[field.name] ?? 1;
  }
}

/** Undefined for lists of which any one item will do. */
export function validList({ name }: DescField, { typeName }: DescMessage): readonly unknown[] | undefined {
  return LISTS[`${typeName}.${name}`] ?? LISTS[name];
}

/** Values of the field's type that it is not meant to have, or not often. */
export function oddScalars(type: ScalarType): readonly unknown[] {
  switch (type) {
    case ScalarType.STRING:
      return ['', 'nowhere', '\u0000', '../..', 'a[', 'x'.repeat(1000)];
    case ScalarType.BOOL:
      return [false];
    case ScalarType.FLOAT:
      return [Number.NaN, Number.POSITIVE_INFINITY, -1, 0, FLOAT_MAX];
    case ScalarType.DOUBLE:
      return [Number.NaN, Number.NEGATIVE_INFINITY, -1, 0, Number.MAX_VALUE];
    case ScalarType.INT64:
      return [0n, -1n, INT64_MAX, INT64_MIN];
    case ScalarType.UINT64:
      return [0n, UINT64_MAX];
    case ScalarType.INT32:
      return [0, -1, INT32_MAX];
    default:
      return [0, UINT32_MAX];
  }
}

export const ODD_ENUM_NUMBERS = [0, -1, OUTSIDE_ENUM];
