// SPDX-License-Identifier: Apache-2.0
/**
 * JSON without loss. `JSON.parse` rounds integers beyond 2^53, and point ids are unsigned 64-bit,
 * so such integers become `bigint` when they are read and plain digits when they are written.
 */

/** A value that JSON can carry, with integers beyond 2^53 as `bigint`. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Finds out quickly that there is nothing to do; a false alarm inside a string only costs the slower way. */
const LARGE_INTEGER = /(?:^|[[:,\s])-?[0-9]{16,}(?:[\s,\]}]|$)/;
/** As values: where a colon follows, it is no JSON, and stays none. */
const LARGE_INTEGERS = /(?<![\w.+-])-?[0-9]{16,}(?![\w.]|\s*:)/g;
const INTEGER = /^-?[0-9]+$/;

/** Parses JSON text exactly. Without an integer of 16 digits or more it is `JSON.parse`; with them it takes about twice as long. */
export function parseJson(text: string): unknown {
  if (!LARGE_INTEGER.test(text)) return JSON.parse(text);
  return SPELLS_MARK.test(text) ? parseWithReviver(text) : withIntegersBack(JSON.parse(markLargeIntegers(text)));
}

/** For text that spells the mark itself: as exact, and 12 times slower, because it is called back for every number. */
function parseWithReviver(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
    return INTEGER.test(source) ? BigInt(source) : value;
  });
}

/** Large integers pass the native parser as strings that begin with a character (DEL) which the text does not have. */
const MARK = '\u007f';
const SPELLS_MARK = /\u007f|\\u007f/i;

function markLargeIntegers(text: string): string {
  const isInString = stringTracker(text);
  return text.replace(LARGE_INTEGERS, (digits: string, position: number) =>
    Number.isSafeInteger(Number(digits)) || isInString(position) || startsWithZero(digits) ? digits : `"${MARK}${digits}"`,
  );
}

/** JSON has no such integers; the parser is left to refuse them. */
function startsWithZero(digits: string): boolean {
  return /^-?0/.test(digits);
}

/** Says, for growing positions, whether they are inside a string; goes through the text once, from quote to quote. */
function stringTracker(text: string): (position: number) => boolean {
  let quote = text.indexOf('"');
  let isInside = false;
  return (position) => {
    while (quote !== -1 && quote < position) {
      if (!isInside || !isEscaped(text, quote)) isInside = !isInside;
      quote = text.indexOf('"', quote + 1);
    }
    return isInside;
  };
}

function isEscaped(text: string, position: number): boolean {
  let first = position;
  while (text[first - 1] === '\\') first -= 1;
  return (position - first) % 2 === 1;
}

/** Turns marked strings into the integers that they stand for, in place. */
function withIntegersBack(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      // Most of what a large body holds are the numbers of its vectors.
      if (typeof value[index] !== 'number') value[index] = withIntegersBack(value[index]);
    }
    return value;
  }
  if (typeof value !== 'object' || value === null) return value;
  // A parsed object has only members of its own, so `__proto__` is one like any other.
  const members = value as { [key: string]: unknown };
  for (const key of Object.keys(members)) members[key] = withIntegersBack(members[key]);
  return value;
}

/** ES2025, which the compiler's library does not declare yet and some packages declare as optional; the pinned runtime has it. */
const { rawJSON } = JSON as unknown as { rawJSON: (digits: string) => object };

/** Writes a value that `parseJson` reads back as it was; with `indent` for people. */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // Only a bigint makes the native writer throw on our values.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(withRawIntegers(value), undefined, indent);
  }
}

/** The same for values whose doubles come back as doubles, too: those of 2^53 and more that have no fraction are written with an exponent. */
export function stringifyExactly(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === 'bigint') return rawJSON(member.toString());
    return Number.isInteger(member) && !Number.isSafeInteger(member) ? rawJSON((member as number).toExponential()) : member;
  });
}

/** A copy whose bigints are raw JSON; a replacer would be called for every component of every vector. */
function withRawIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return rawJSON(value.toString());
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.every(isNumber) ? value : value.map(withRawIntegers);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withRawIntegers(member)]));
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}
