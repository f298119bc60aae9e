// SPDX-License-Identifier: Apache-2.0
/**
 * Takes the vectors out of a body before it is parsed. A body is nearly all numbers of vectors; `numberArraysOf` reads them from
 * the bytes much faster than a parser of everything, and what is left of the body, with `[i]` where the i-th vector was, goes through the
 * exact parser and the schema like any other. A body with anything unusual is not cut at all, so that it is refused in the same words.
 *
 * Vectors are arrays of numbers in the value of a member `vector`, `vectors` or `query`, at any depth; what is in a payload is none, and what is in an
 * object with `indices`, a sparse vector, stays where it is.
 */
import { numberArraysOf } from '@sextant/vector-kernel';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Shorter vectors are not worth an object of their own; longer ones have room for their placeholder. */
const VECTOR_BYTES_MIN = 64;
/** Holds what is left of nearly every body; `[4294967295]` is the longest placeholder. */
const scratch = new Uint8Array(256 * 1024);
const PLACEHOLDER_BYTES_MAX = 12;

/** What the value of a member holds. */
type Content = 'vectors' | 'payload';

const CONTENTS: ReadonlyMap<string, Content> = new Map([
  ['vector', 'vectors'],
  ['vectors', 'vectors'],
  ['query', 'vectors'],
  ['payload', 'payload'],
  ['payloads', 'payload'],
]);
/** Within a query these hold arrays of numbers that are no vectors: ids of examples, weights, operands. */
const MIXED = ['recommend', 'discover', 'context', 'rrf', 'formula'].map((name) => Buffer.from(name));
const INDICES = Buffer.from('indices');
const NAMES = [...CONTENTS].map(([name, content]) => ({ name: Buffer.from(name), content }));

export type CutBody = {
  /** The body with a placeholder for each vector; valid until the next call. */
  readonly rest: Uint8Array;
  readonly vectors: readonly Float32Array[];
};

/**
 * Undefined for a body without vectors, with short ones, or with anything that has to be looked at by the parser.
 * @param throttle is called after each vector, and may hold the thread up for a moment
 */
export function cutVectors(bytes: Uint8Array, throttle: () => void = () => undefined): CutBody | undefined {
  const readNumberArray = numberArraysOf(bytes);
  let rest = scratch;
  const vectors: Float32Array[] = [];
  let written = 0;
  let copied = 0;
  const copyUntil = (end: number) => {
    rest = withRoom(rest, { used: written, wanted: end - copied + PLACEHOLDER_BYTES_MAX });
    rest.set(bytes.subarray(copied, end), written);
    written += end - copied;
  };

  /** Inside of the value of a member that `CONTENTS` names, and how deep that member is. */
  let content: Content | undefined;
  let contentDepth = 0;
  let depth = 0;
  /** Inside of a sparse vector: how deep its members are. And where objects are open from which vectors have been cut. */
  let sparseDepth = Number.POSITIVE_INFINITY;
  const cutDepths = new Set<number>();
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at] ?? 0) {
      case QUOTE: {
        const end = endOfString(bytes, at + 1);
        if (end === undefined) return undefined;
        if (content === 'vectors' && MIXED.some((name) => isName(bytes, at + 1, end - 1, name))) return undefined;
        if (content === 'vectors' && isName(bytes, at + 1, end - 1, INDICES) && bytes[skipSpace(bytes, end)] === COLON) {
          if (cutDepths.has(depth)) return undefined;
          sparseDepth = Math.min(sparseDepth, depth);
        }
        if (content === undefined && bytes[skipSpace(bytes, end)] === COLON) {
          // A name that is spelled with escapes is for the parser to read.
          if (bytes.subarray(at, end).includes(BACKSLASH)) return undefined;
          content = contentOf(bytes, at + 1, end - 1);
          contentDepth = depth;
        }
        at = end - 1;
        break;
      }
      case OPEN_ARRAY: {
        if (content !== 'vectors' || depth >= sparseDepth || !startsNumber(bytes[skipSpace(bytes, at + 1)])) {
          depth++;
          break;
        }
        const vector = readNumberArray(at + 1);
        if (vector === undefined || vector.end - at < VECTOR_BYTES_MIN) return undefined;
        copyUntil(at);
        written = writePlaceholder(rest, written, vectors.length);
        vectors.push(vector.values);
        cutDepths.add(depth);
        copied = vector.end;
        at = vector.end - 1;
        throttle();
        break;
      }
      case OPEN_OBJECT:
        depth++;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        cutDepths.delete(depth);
        depth--;
        if (depth < sparseDepth) sparseDepth = Number.POSITIVE_INFINITY;
        if (depth < contentDepth) content = undefined;
        break;
      case COMMA:
        if (depth === contentDepth) content = undefined;
        break;
    }
  }
  if (vectors.length === 0) return undefined;
  copyUntil(bytes.length);
  return { rest: rest.subarray(0, written), vectors };
}

/** Puts the vectors where their placeholders are, in place. */
export function putVectorsBack(value: unknown, vectors: readonly Float32Array[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const item of value) putVectorsBack(item, vectors);
    return value;
  }
  const members = value as { [name: string]: unknown };
  for (const name of Object.keys(members)) {
    const content = CONTENTS.get(name);
    if (content === 'vectors') members[name] = withVectors(members[name], vectors);
    else if (content === undefined) putVectorsBack(members[name], vectors);
  }
  return value;
}

function withVectors(value: unknown, vectors: readonly Float32Array[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return typeof value[0] === 'number' ? vectors[value[0]] : value.map((item) => withVectors(item, vectors));
  const members = value as { [name: string]: unknown };
  if (Object.hasOwn(members, 'indices')) return members;
  for (const name of Object.keys(members)) members[name] = withVectors(members[name], vectors);
  return value;
}

/** The same bytes in a larger array, where there is no room for so many more. */
function withRoom(bytes: Uint8Array<ArrayBuffer>, { used, wanted }: { used: number; wanted: number }): Uint8Array<ArrayBuffer> {
  if (used + wanted <= bytes.length) return bytes;
  const larger = new Uint8Array(2 * (used + wanted));
  larger.set(bytes.subarray(0, used));
  return larger;
}

/** The position of the first byte at or after `start` that is no white space. */
function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isSpace(bytes[at])) at++;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}

/** The position after the closing quote. */
function endOfString(bytes: Uint8Array, start: number): number | undefined {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at++;
  }
  return undefined;
}

function contentOf(bytes: Uint8Array, start: number, end: number): Content | undefined {
  return NAMES.find(({ name }) => isName(bytes, start, end, name))?.content;
}

function isName(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  return name.length === end - start && name.every((byte, index) => byte === bytes[start + index]);
}

function startsNumber(byte: number | undefined): boolean {
  return byte !== undefined && (byte === MINUS || (byte >= ZERO && byte <= NINE));
}

function writePlaceholder(target: Uint8Array, start: number, index: number): number {
  let at = start;
  target[at++] = OPEN_ARRAY;
  for (const digit of String(index)) target[at++] = digit.charCodeAt(0);
  target[at++] = CLOSE_ARRAY;
  return at;
}
