// SPDX-License-Identifier: Apache-2.0
/**
 * The posting keys of a payload. The same payload always has the same keys, without duplicates, so a change of a point takes the
 * keys of the old payload out and puts those of the new one in. Layout: posting-key.ts.
 */
import type { FieldType, Payload } from '@sextant/contracts-vector';
import type { JsonValue } from '@sextant/foundation-std';
import { parseDatetime } from '../filter/datetime.ts';
import { elementCount, hasNull } from '../filter/evaluate.ts';
import { geoPointOf } from '../filter/geo.ts';
import { textAnalyzer } from '../filter/text/text-analyzer.ts';
import { isJsonArray, type JsonPath, parseJsonPath, resolvePath } from '../payload/json-path.ts';
import { encodeCell } from './geo-cell.ts';
import { encodeNumber } from './number-encoding.ts';
import { bucketOf, postingKey, TAG } from './posting-key.ts';
import type { FieldIndex } from './schema.ts';
import { encodeString } from './string-encoding.ts';
import { encodeUuid } from './uuid-encoding.ts';

export { postingRangeOf } from './posting-key.ts';

/** What one element of a value adds to an index. */
type ElementEntries = {
  readonly encodings: readonly Uint8Array[];
  /** Whether the element is a value of the index's type; an integer index also holds fractions, for the sake of ranges. */
  readonly typed: boolean;
};

/** The types whose filters ask for ranges. */
const BUCKETED: readonly FieldType[] = ['integer', 'float', 'datetime', 'geo'];

const NONE: ElementEntries = { encodings: [], typed: false };

export function postingKeysOf(indexes: ReadonlyMap<string, FieldIndex>, payload: Payload): readonly Uint8Array[] {
  return [...indexes.values()].flatMap((index) => keysOf(index, payload));
}

/** The values of one index in a payload, as `resolvePath` gives them. */
export function indexedValues(index: FieldIndex, payload: Payload): readonly JsonValue[] {
  return resolvePath(pathOfIndex(index), payload);
}

/** The integers that an integer index counts as its values: signed and unsigned 64-bit ones. */
export function isIndexedInteger(value: number | bigint): boolean {
  return (typeof value === 'bigint' || Number.isInteger(value)) && value >= -(2n ** 63n) && value < 2n ** 64n;
}

export function encodeCount(typed: boolean, count: number): Uint8Array {
  return Uint8Array.of(typed ? 1 : 0, count >>> 24, count >>> 16, count >>> 8, count);
}

function keysOf(index: FieldIndex, payload: Payload): readonly Uint8Array[] {
  const values = indexedValues(index, payload);
  if (values.length === 0) return [];
  const elements = values.flatMap((value) => (isJsonArray(value) ? value : [value])).map((element) => entriesOfElement(index, element));
  const typed = elements.some((element) => element.typed);
  const encodings = elements.flatMap((element) => element.encodings);
  const { ordinal, schema } = index;
  const keys = values.map((value) => postingKey(ordinal, TAG.count, encodeCount(typed, elementCount(value))));
  if (values.includes(null)) keys.push(postingKey(ordinal, TAG.null));
  if (values.some((value) => value !== null && hasNull(value))) keys.push(postingKey(ordinal, TAG.nullElement));
  for (const encoding of encodings) keys.push(postingKey(ordinal, TAG.value, encoding));
  if (BUCKETED.includes(schema.type)) for (const encoding of encodings) keys.push(postingKey(ordinal, TAG.bucket, bucketOf(encoding)));
  // The entries of one element differ from each other.
  return elements.length > 1 || values.length > 1 ? distinct(keys) : keys;
}

function entriesOfElement({ schema }: FieldIndex, element: JsonValue): ElementEntries {
  switch (schema.type) {
    case 'keyword':
      return typeof element === 'string' ? one(encodeString(element).bytes) : NONE;
    case 'integer':
      return isNumeric(element) ? one(encodeNumber(element).bytes, isIndexedInteger(element)) : NONE;
    case 'float':
      return isNumeric(element) ? one(encodeNumber(element).bytes) : NONE;
    case 'bool':
      return typeof element === 'boolean' ? one(Uint8Array.of(element ? 1 : 0)) : NONE;
    case 'datetime': {
      const micros = typeof element === 'string' ? parseDatetime(element) : undefined;
      return micros === undefined ? NONE : one(encodeNumber(micros).bytes);
    }
    case 'uuid': {
      const bytes = typeof element === 'string' ? encodeUuid(element) : undefined;
      return bytes === undefined ? NONE : one(bytes);
    }
    case 'geo': {
      const point = geoPointOf(element);
      return point === undefined ? NONE : one(encodeCell(point));
    }
    case 'text': {
      if (typeof element !== 'string') return NONE;
      const words = new Set(textAnalyzer(schema).words(element));
      return { encodings: [...words].map((word) => encodeString(word).bytes), typed: true };
    }
  }
}

function one(encoding: Uint8Array, typed = true): ElementEntries {
  return { encodings: [encoding], typed };
}

function isNumeric(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function distinct(keys: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...new Map(keys.map((key) => [Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1'), key])).values()];
}

/** Parsed once for each index, as every write needs it. */
const PATHS = new WeakMap<FieldIndex, JsonPath>();

function pathOfIndex(index: FieldIndex): JsonPath {
  const known = PATHS.get(index);
  if (known !== undefined) return known;
  const path = parseJsonPath(index.field);
  PATHS.set(index, path);
  return path;
}
