// SPDX-License-Identifier: Apache-2.0
/** What stands behind options: texts become values here, or the command line is refused with what would be right. */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { type PointId, parsePointId } from '@sextant/contracts-vector';
import { parseJson } from '@sextant/foundation-std';

export function wholeNumber({ min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number } = {}) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(
      `Expected a whole number ${max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`}.`,
    );
  };
}

export function finite(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('Expected a number.');
}

export function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('Expected a number from 0 to 1.');
}

export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('Expected a number of seconds above 0.');
}

export function pointId(text: string): PointId {
  const id = parsePointId(text);
  if (id !== undefined) return id;
  throw new InvalidArgumentError('Expected an integer from 0 to 18446744073709551615, or a UUID.');
}

/** A JSON object; the service validates what is in it. */
export function jsonObject(text: string): { readonly [name: string]: unknown } {
  const value = json(text);
  // Parsed, no array and not null: an object with members of its own.
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as { readonly [name: string]: unknown };
  throw new InvalidArgumentError('Expected a JSON object, such as {"must": []}.');
}

/** `[0.1, 0.2]`, or the same without brackets. */
export function vector(text: string): readonly number[] {
  const value = json(text.trim().startsWith('[') ? text : `[${text}]`);
  if (Array.isArray(value) && value.length > 0 && value.every((component) => typeof component === 'number')) return value;
  throw new InvalidArgumentError('Expected numbers, such as [0.1, 0.2] or 0.1,0.2.');
}

/** `a,b,c` */
export function list(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** For an option that may be given more than once. */
export function repeated<Value>(parse: (text: string) => Value) {
  return (text: string, previous: readonly Value[] | undefined): readonly Value[] => [...(previous ?? []), parse(text)];
}

/** `value` or `name=value`. */
export function named(text: string): { readonly name: string | undefined; readonly value: string } {
  const at = text.indexOf('=');
  return at === -1 ? { name: undefined, value: text } : { name: text.slice(0, at), value: text.slice(at + 1) };
}

function json(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new InvalidArgumentError('This is not valid JSON.');
  }
}
