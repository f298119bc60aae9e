/**
 * JSON without loss. `JSON.parse` rounds integers beyond 2^53, and point ids are unsigned 64-bit,
 * so such integers become `bigint` on the way in and plain digits on the way out.
 */

/** A value that JSON can carry, with integers beyond 2^53 as `bigint`. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** An integer literal of 16 digits or more; a false alarm inside a string only costs the slower parse. */
const LARGE_INTEGER = /(?:^|[[:,\s])-?[0-9]{16,}(?:[\s,\]}]|$)/;
const INTEGER = /^-?[0-9]+$/;

/** Parses JSON text exactly. The slower exact path (20x) runs only where an integer of 16 digits or more is present. */
export function parseJson(text: string): unknown {
  if (!LARGE_INTEGER.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
    return INTEGER.test(source) ? BigInt(source) : value;
  });
}

/** ES2025, which the compiler's library does not declare yet and some packages declare as optional; the pinned runtime has it. */
const { rawJSON } = JSON as unknown as { rawJSON: (digits: string) => object };

/** Writes a value that `parseJson` reads back as it was. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Only a bigint makes the native writer throw on our values; the replacer is 5x slower.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? rawJSON(member.toString()) : member));
  }
}
