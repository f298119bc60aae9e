// SPDX-License-Identifier: Apache-2.0
/** What the compiler carries through a filter: the place for its errors, and the bounds of what one request may cost. */
import { type FieldSchema, ServiceError } from '@sextant/contracts-vector';
import { type JsonPath, JsonPathError, parseJsonPath } from '../payload/json-path.ts';

export type CompileContext = {
  /** The place in the filter, such as `must[0].range`; empty at its root. */
  readonly at: string;
  readonly depth: number;
  /** The array that a nested filter looks into, by its path from the payload's root. */
  readonly within: JsonPath | undefined;
  readonly schema: (field: string) => FieldSchema | undefined;
  /** Counts what the whole filter holds. */
  readonly spent: { conditions: number; values: number };
};

const DEPTH_MAX = 64;
const CONDITIONS_MAX = 10_000;
/** Ids, listed values and corners of polygons together. */
const VALUES_MAX = 200_000;

export function rootContext(schema: CompileContext['schema']): CompileContext {
  return { at: '', depth: 0, within: undefined, schema, spent: { conditions: 0, values: 0 } };
}

/** The same one member further in. */
export function into<Context extends CompileContext>(context: Context, member: string): Context {
  return { ...context, at: context.at === '' ? member : `${context.at}.${member}` };
}

/** The same one filter further in. */
export function deeper(context: CompileContext): CompileContext {
  if (context.depth === DEPTH_MAX) refuse(context.at, `filters nest at most ${DEPTH_MAX} deep`);
  return { ...context, depth: context.depth + 1 };
}

export function refuse(at: string, reason: string): never {
  throw new ServiceError('invalid_filter', { reason: at === '' ? reason : `${at}: ${reason}` });
}

export function spendCondition({ at, spent }: CompileContext): void {
  spent.conditions++;
  if (spent.conditions > CONDITIONS_MAX) refuse(at, `the filter holds more than ${CONDITIONS_MAX} conditions`);
}

export function spendValues({ at, spent }: CompileContext, count: number): void {
  spent.values += count;
  if (spent.values > VALUES_MAX) refuse(at, `the filter holds more than ${VALUES_MAX} values`);
}

export function compilePath(key: unknown, { at }: CompileContext): JsonPath {
  if (typeof key !== 'string') refuse(at, `expected a JSON path, got ${String(key)}`);
  try {
    return parseJsonPath(key);
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    return refuse(at, error.message);
  }
}
