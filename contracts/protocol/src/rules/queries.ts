// SPDX-License-Identifier: Apache-2.0
/** The query language: queries, expressions, orders, lookups. */
import type {
  ContextInput,
  Expression,
  Formula,
  IdfParams,
  LookupLocation,
  NearestInputWithMmr,
  Query,
  Rrf,
  StartFrom,
} from '@qdrant/js-client-grpc';
import { exactInteger, fromValues } from '../json-values.ts';
import type { MessageReader } from '../message-reader.ts';
import { defined, listOf, type Members, nameOf, type Rules } from '../rule.ts';
import { isoTime } from './filters.ts';
import { nothingSet } from './vectors.ts';

export const queryRules: Rules = {
  'qdrant.Query': { read: readQuery, write: writeQuery },
  'qdrant.PrefetchQuery': { write: ({ prefetch, ...members }: Members) => ({ ...members, prefetch: listOf(prefetch) }) },
  'qdrant.NearestInputWithMmr': {
    read: ({ nearest, mmr }: NearestInputWithMmr, reader) => defined({ nearest: reader.optional(nearest), mmr: reader.optional(mmr) }),
  },
  'qdrant.Rrf': { read: ({ k, weights }: Rrf) => defined({ k, weights: weights.length === 0 ? undefined : weights }) },
  'qdrant.ContextInput': {
    read: ({ pairs }: ContextInput, reader) => reader.readAll(pairs),
    write: (pairs: unknown) => ({ pairs: listOf(pairs) }),
  },
  'qdrant.Formula': {
    read: ({ expression, defaults }: Formula, reader) => ({ formula: reader.optional(expression), defaults: fromValues(defaults) }),
  },
  'qdrant.Expression': { read: readExpression, write: writeExpression },
  'qdrant.OrderBy': { write: (order: unknown) => (typeof order === 'string' ? { key: order } : (order as Members)) },
  'qdrant.StartFrom': {
    read: ({ value: start }: StartFrom) => {
      if (start.case === 'timestamp') return isoTime(start.value);
      return start.case === 'integer' ? exactInteger(start.value) : start.value;
    },
    write: (start: unknown) => {
      if (typeof start === 'string') return { datetime: start };
      return Number.isSafeInteger(start) || typeof start === 'bigint' ? { integer: start } : { float: start };
    },
  },
  'qdrant.LookupLocation': {
    read: ({ collectionName, vectorName, shardKeySelector }: LookupLocation, reader) =>
      defined({ collection: collectionName, vector: vectorName, shard_key: reader.optional(shardKeySelector) }),
    write: ({ collection, vector, ...others }: Members) => ({ ...others, collection_name: collection, vector_name: vector }),
  },
  'qdrant.IdfParams': {
    read: ({ corpus }: IdfParams, reader) => (corpus === undefined ? 'global' : { corpus: reader.read(corpus) }),
  },
};

function readQuery({ variant: { case: kind, value } }: Query, reader: MessageReader): unknown {
  switch (kind) {
    case undefined:
      return nothingSet('Query', 'a query');
    case 'nearest':
    case 'nearestWithMmr':
    case 'formula':
      return reader.read(value);
    case 'fusion':
      return { fusion: value === 0 ? 'rrf' : 'dbsf' };
    case 'sample':
      return { sample: 'random' };
    default:
      return { [nameOf(kind)]: reader.read(value) };
  }
}

/** A vector (a sparse one is an object) or an id is a query for what is nearest to it; the others are named by their one member. */
function writeQuery(value: unknown): Members {
  if (!isObject(value) || 'indices' in value) return { nearest: value };
  const { nearest, mmr, formula, defaults, ...others } = value;
  if (formula !== undefined) return { ...others, formula: { expression: formula, defaults } };
  if (nearest === undefined) return value;
  return mmr === undefined || mmr === null ? { ...others, nearest } : { ...others, nearest_with_mmr: { nearest, mmr } };
}

/** Constants and variables are themselves, conditions are conditions, everything else is an object of one member. */
function readExpression({ variant: { case: kind, value } }: Expression, reader: MessageReader): unknown {
  switch (kind) {
    case undefined:
    case 'constant':
    case 'variable':
      return value;
    case 'condition':
      return reader.read(value);
    case 'mult':
      return { mult: reader.readAll(value.mult) };
    case 'sum':
      return { sum: reader.readAll(value.sum) };
    default:
      return { [nameOf(kind)]: reader.value(value) };
  }
}

/** Expressions that the protocol names as REST does. */
const NAMED = new Set([
  'geo_distance',
  'datetime',
  'datetime_key',
  'div',
  'neg',
  'abs',
  'sqrt',
  'pow',
  'exp',
  'log10',
  'ln',
  'exp_decay',
  'gauss_decay',
  'lin_decay',
]);

function writeExpression(value: unknown): Members {
  if (typeof value === 'number') return { constant: value };
  if (!isObject(value)) return { variable: value };
  const [name = ''] = Object.keys(value);
  if (name === 'mult' || name === 'sum') return { [name]: value };
  return NAMED.has(name) ? value : { condition: value };
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float32Array);
}
