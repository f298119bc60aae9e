// SPDX-License-Identifier: Apache-2.0
/** JSON as it goes over the wire: integers beyond 2^53 are `bigint`, vectors may be `Float32Array`. */
import { shortestFloat32, stringifyJson } from '@sextant/foundation-std/portable';

/** A JSON value; integers beyond 2^53 are `bigint`. As `foundation-std` has it; the published types stand alone. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Any JSON object, such as a payload. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** The text of a body: bigints as plain digits, `Float32Array` as an array of the shortest decimals that read back the same. */
export function toJsonText(body: unknown): string {
  return stringifyJson(withPlainVectors(body));
}

/** The value itself where there is nothing to replace; arrays of numbers, which are most of a body, are not walked. */
function withPlainVectors(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float32Array) return Array.from(value, shortestFloat32);
  if (Array.isArray(value)) {
    if (typeof value[0] === 'number') return value;
    const items: readonly unknown[] = value;
    const replaced = items.map(withPlainVectors);
    return replaced.some((item, index) => item !== items[index]) ? replaced : value;
  }
  const entries = Object.entries(value);
  const replaced = entries.map(([key, member]) => [key, withPlainVectors(member)] as const);
  return replaced.some(([, member], index) => member !== entries[index]?.[1]) ? Object.fromEntries(replaced) : value;
}
