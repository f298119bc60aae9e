// SPDX-License-Identifier: Apache-2.0
/**
 * JSON paths into a payload: `a.b`, `a[].b`, `a[0]`, `"quo ted".x`.
 *
 *     path  = key { "." key }
 *     key   = ( bare | quoted ) { "[]" | "[" digits "]" }
 *     bare  = one or more characters other than . [ ] "
 *     quoted = '"' { any character, with \" and \\ for the two special ones } '"'
 */
import type { JsonValue } from '@sextant/foundation-std';

export type PathStep =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  /** `[]`: every element of an array. */
  | { readonly kind: 'each' };

export type JsonPath = {
  /** The canonical spelling: two paths are the same exactly if their texts are. */
  readonly text: string;
  readonly steps: readonly PathStep[];
};

export type JsonObject = { readonly [key: string]: JsonValue };

/** Says where a path stops making sense; `position` counts characters from 0. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
  readonly position: number;

  constructor(text: string, position: number, expected: string) {
    super(`${expected} at position ${position} of path ${JSON.stringify(shortened(text))}`);
    this.position = position;
  }
}

const PATH_LENGTH_MAX = 1024;
const STEPS_MAX = 64;
const BARE_KEY = /[^.[\]"]+/y;
const QUOTED_KEY = /"((?:[^"\\]|\\["\\])*)"/y;
const ELEMENT = /\[([0-9]{0,9})\]/y;

/** Throws `JsonPathError`. */
export function parseJsonPath(text: string): JsonPath {
  if (text.length > PATH_LENGTH_MAX) throw new JsonPathError(text, PATH_LENGTH_MAX, `expected at most ${PATH_LENGTH_MAX} characters`);
  const steps: PathStep[] = [];
  let position = 0;
  for (;;) {
    position = readKey(text, position, steps);
    position = readElements(text, position, steps);
    if (steps.length > STEPS_MAX) throw new JsonPathError(text, position, `expected at most ${STEPS_MAX} steps`);
    if (position === text.length) return pathOf(steps);
    if (text[position] !== '.') throw new JsonPathError(text, position, 'expected "." or "[" or the end');
    position++;
  }
}

/** A path from its steps, with the canonical text. */
export function pathOf(steps: readonly PathStep[]): JsonPath {
  return { text: steps.map(spell).join('').slice(1), steps };
}

/** The elements of what `path` leads to: `a` and `a[]` both give `a[]`. */
export function elementsOf(path: JsonPath): JsonPath {
  return path.steps.at(-1)?.kind === 'each' ? path : pathOf([...path.steps, { kind: 'each' }]);
}

/** True where the path may lead to more than one value of a payload. */
export function isMultiple(path: JsonPath): boolean {
  return path.steps.some((step) => step.kind === 'each');
}

/**
 * The values that a path leads to, in order. A key never enters an array: over `{"a":[{"b":1}]}` the path `a.b` leads nowhere
 * and `a[].b` to 1. Where the last step lands on an array, the array is the value.
 */
export function resolvePath(path: JsonPath, root: JsonValue): readonly JsonValue[] {
  if (path.steps.length === 1 && path.steps[0]?.kind === 'key') return member(root, path.steps[0].key);
  let values: readonly JsonValue[] = [root];
  for (const step of path.steps) {
    values = values.flatMap((value) => follow(step, value));
    if (values.length === 0) break;
  }
  return values;
}

export function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own members only, so that `constructor` and `__proto__` are names like any other. */
function member(value: JsonValue, key: string): readonly JsonValue[] {
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return [];
  const found = value[key];
  return found === undefined ? [] : [found];
}

function follow(step: PathStep, value: JsonValue): readonly JsonValue[] {
  switch (step.kind) {
    case 'key':
      return member(value, step.key);
    case 'index': {
      const element = isJsonArray(value) ? value[step.index] : undefined;
      return element === undefined ? [] : [element];
    }
    case 'each':
      return isJsonArray(value) ? value : [];
  }
}

function readKey(text: string, position: number, steps: PathStep[]): number {
  const quoted = text[position] === '"';
  const pattern = quoted ? QUOTED_KEY : BARE_KEY;
  pattern.lastIndex = position;
  const found = pattern.exec(text);
  if (found === null)
    throw new JsonPathError(text, position, quoted ? 'expected a closed quoted key (\\" and \\\\ are its escapes)' : 'expected a key');
  steps.push({ kind: 'key', key: quoted ? (found[1] ?? '').replace(/\\(.)/gs, '$1') : found[0] });
  return pattern.lastIndex;
}

function readElements(text: string, start: number, steps: PathStep[]): number {
  let position = start;
  while (text[position] === '[') {
    ELEMENT.lastIndex = position;
    const found = ELEMENT.exec(text);
    if (found === null) throw new JsonPathError(text, position, 'expected [] or [index]');
    steps.push(found[1] === '' ? { kind: 'each' } : { kind: 'index', index: Number(found[1]) });
    position = ELEMENT.lastIndex;
  }
  return position;
}

function spell(step: PathStep): string {
  switch (step.kind) {
    case 'each':
      return '[]';
    case 'index':
      return `[${step.index}]`;
    case 'key':
      return /^[^.[\]"]+$/.test(step.key) ? `.${step.key}` : `."${step.key.replace(/["\\]/g, '\\$&')}"`;
  }
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
