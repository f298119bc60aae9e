// SPDX-License-Identifier: Apache-2.0
/**
 * Questions between nodes and their answers as bytes: JSON with exact integers, and the components of vectors behind it.
 *
 *   JSON's length u32 | JSON in UTF-8 | components f32, one list after the other
 *
 * A list of numbers that are all float32, as vectors in answers are, is taken out of the JSON as well, where it is long enough to be worth it.
 */
import { assert, parseJson, stringifyJson } from '@sextant/foundation-std';

const LENGTH_BYTES = 4;
const COMPONENT_BYTES = 4;
/** From here on a list takes less room as components than as digits. */
const LIST_MIN = 4;

/** What a member is called that stands for components; a member that is really called so gets one more in front of its name. */
const MARK = '\u0000';
const VECTOR = `${MARK}vector`;
const NUMBERS = `${MARK}numbers`;
/** A number beyond the integers that numbers hold exactly; without a mark its digits would be an exact integer. */
const LARGE = `${MARK}large`;

export function encodeMessage(value: unknown): Buffer {
  const lists: Float32Array[] = [];
  const json = Buffer.from(stringifyJson(cut(value, lists)));
  const components = lists.reduce((sum, { length }) => sum + length, 0);
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + json.length + components * COMPONENT_BYTES);
  bytes.writeUInt32LE(json.length);
  bytes.set(json, LENGTH_BYTES);
  let offset = LENGTH_BYTES + json.length;
  for (const list of lists) {
    bytes.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), offset);
    offset += list.byteLength;
  }
  return bytes;
}

export function decodeMessage(bytes: Buffer): unknown {
  const end = LENGTH_BYTES + bytes.readUInt32LE();
  // Copied, since components have to be aligned.
  const components = new Float32Array(Uint8Array.from(bytes.subarray(end)).buffer);
  let offset = 0;
  const next = (length: number) => {
    offset += length;
    assert(offset <= components.length, 'a message has all its components');
    return components.subarray(offset - length, offset);
  };
  return joined(parseJson(bytes.toString('utf8', LENGTH_BYTES, end)), next);
}

// biome-ignore lint/suspicious/noExplicitAny: what `stringifyJson` takes.
function cut(value: unknown, lists: Float32Array[]): any {
  if (value instanceof Float32Array) {
    lists.push(value);
    return { [VECTOR]: value.length };
  }
  if (Array.isArray(value)) {
    const values: readonly unknown[] = value;
    if (!isComponents(values)) return values.map((each) => cut(each, lists));
    lists.push(Float32Array.from(values));
    return { [NUMBERS]: values.length };
  }
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return { [LARGE]: value.toExponential() };
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name.startsWith(MARK) ? MARK + name : name, cut(member, lists)]));
}

function isComponents(values: readonly unknown[]): values is readonly number[] {
  return values.length >= LIST_MIN && values.every((value) => typeof value === 'number' && Object.is(Math.fround(value), value));
}

function joined(value: unknown, next: (length: number) => Float32Array): unknown {
  if (Array.isArray(value)) return value.map((each) => joined(each, next));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const [first] = members;
  if (members.length === 1 && first !== undefined) {
    const [name, member] = first;
    if (name === VECTOR && typeof member === 'number') return next(member);
    if (name === NUMBERS && typeof member === 'number') return Array.from(next(member));
    if (name === LARGE) return Number(member);
  }
  return Object.fromEntries(members.map(([name, member]) => [name.startsWith(MARK) ? name.slice(1) : name, joined(member, next)]));
}
