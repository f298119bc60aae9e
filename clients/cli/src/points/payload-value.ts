// SPDX-License-Identifier: Apache-2.0
/** Payloads as files hold them: what tables know and JSON does not becomes what the service keeps. */
import { type JsonValue, parseJson } from '@sextant/foundation-std';

/** The members of a value that is an object, or the JSON text of one; undefined for any other. */
export function objectIn(value: unknown): { readonly [key: string]: unknown } | undefined {
  const parsed = typeof value === 'string' && value.trimStart().startsWith('{') ? parsedJson(value) : value;
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  // A parsed object's members are all its own.
  return Object.getPrototypeOf(parsed) === Object.prototype ? (parsed as { readonly [key: string]: unknown }) : undefined;
}

function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** As JSON: times as RFC 3339, bytes as base64. Undefined for what JSON cannot say, such as NaN. */
export function payloadValue(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value !== 'object') return undefined;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return listValue(Array.from(value as ArrayLike<unknown>));
  return objectValue(value);
}

function listValue(list: readonly unknown[]): JsonValue | undefined {
  const values = list.map((member) => payloadValue(member ?? null));
  return values.every((member) => member !== undefined) ? values : undefined;
}

function objectValue(value: object): JsonValue | undefined {
  const members: { [key: string]: JsonValue } = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const converted = payloadValue(member);
    if (converted === undefined) return undefined;
    // `__proto__` is a key like any other.
    Object.defineProperty(members, key, { value: converted, enumerable: true, configurable: true, writable: true });
  }
  return members;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What a cell of text means: `true` and `false`, numbers as JSON writes them (`007` is none), lists and objects in JSON, else the text itself. */
export function cellValue(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  if (NUMBER.test(text)) return numberIn(text);
  if (!/^[[{].*[\]}]$/s.test(text)) return text;
  const parsed = payloadValue(parsedJson(text));
  return parsed ?? text;
}

/** A number that a double would change stays text, unless it is an integer. */
function numberIn(text: string): JsonValue {
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}
