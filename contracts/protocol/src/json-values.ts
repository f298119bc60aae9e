// SPDX-License-Identifier: Apache-2.0
/** Payloads: JSON in the protocol's own clothes, with integers apart from other numbers. */
import { create } from '@bufbuild/protobuf';
import { ListValueSchema, NullValue, StructSchema, type Value, ValueSchema } from '@qdrant/js-client-grpc';
import type { JsonValue } from '@sextant/foundation-std/portable';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

export function toValue(json: JsonValue): Value {
  return create(ValueSchema, { kind: kindOf(json) });
}

/** The members of an object, as `map<string, Value>` wants them. */
export function toValues(object: { readonly [key: string]: JsonValue }): { [key: string]: Value } {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, toValue(value)]));
}

export function fromValue({ kind }: Value): JsonValue {
  switch (kind.case) {
    case 'doubleValue':
    case 'stringValue':
    case 'boolValue':
      return kind.value;
    case 'integerValue':
      return exactInteger(kind.value);
    case 'structValue':
      return fromValues(kind.value.fields);
    case 'listValue':
      return kind.value.values.map(fromValue);
    case 'nullValue':
    case undefined:
      return null;
  }
}

export function fromValues(fields: { readonly [key: string]: Value }): { [key: string]: JsonValue } {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, fromValue(value)]));
}

/** A `number` where that is exact, as everywhere in the service. */
export function exactInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Whether it is a signed integer of 64 bits, which is what the protocol has. */
export function isInt64(value: bigint): boolean {
  return value >= INT64_MIN && value <= INT64_MAX;
}

function kindOf(json: JsonValue): Value['kind'] {
  switch (typeof json) {
    case 'string':
      return { case: 'stringValue', value: json };
    case 'boolean':
      return { case: 'boolValue', value: json };
    case 'number':
      if (!Number.isSafeInteger(json)) return { case: 'doubleValue', value: json };
      return { case: 'integerValue', value: BigInt(json) };
    case 'bigint':
      if (!isInt64(json)) return { case: 'doubleValue', value: Number(json) };
      return { case: 'integerValue', value: json };
    default:
      if (json === null) return { case: 'nullValue', value: NullValue.NULL_VALUE };
      if (isList(json)) return { case: 'listValue', value: create(ListValueSchema, { values: json.map(toValue) }) };
      return { case: 'structValue', value: create(StructSchema, { fields: toValues(json) }) };
  }
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(json: object): json is readonly JsonValue[] {
  return Array.isArray(json);
}
