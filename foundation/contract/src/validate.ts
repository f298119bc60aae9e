// SPDX-License-Identifier: Apache-2.0
/** The gate of outside data: a compiled check, and a sentence when it says no. */
import type { TSchema } from 'typebox';
import { type CompiledSchema, compile } from './compile.ts';
import { explain } from './explain.ts';

/** Why a value is refused. */
export type Refusal = {
  /** Such as `points[3].id: expected an integer, got "a"`; for a feature to come: the place and its name. */
  readonly sentence: string;
  /** Whether the value asks for a feature that this release does not serve. */
  readonly isNotYet: boolean;
};

/** Schemas are constants, so each is compiled once per thread, when it is first needed. */
const compiled = new WeakMap<TSchema, CompiledSchema>();

/** Undefined for a value that fits its schema; otherwise the sentence that names the member which does not. `what` names the value itself. */
export function refusalOf(schema: TSchema, value: unknown, what: string): Refusal | undefined {
  try {
    if (compiledOf(schema).check(value)) return undefined;
    return refusal(schema, value, what);
  } catch (error) {
    // The check recurses as deep as the value does; what overflows the stack is nothing that anyone means.
    if (error instanceof RangeError) return { sentence: `${what}: nested too deeply`, isNotYet: false };
    throw error;
  }
}

/** Whether `refusalOf` would have nothing to say. */
export function fits(schema: TSchema, value: unknown): boolean {
  try {
    return compiledOf(schema).check(value);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Compiles all of a schema, which a check does as far as its values go: finds faults of schemas, in tests. The schemas of a service take a quarter of a second. */
export function prepareSchema(schema: TSchema): void {
  compiledOf(schema).prepare();
}

function compiledOf(schema: TSchema): CompiledSchema {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const fresh = compile(schema);
  compiled.set(schema, fresh);
  return fresh;
}

function refusal(schema: TSchema, value: unknown, what: string): Refusal {
  const problem = explain(schema, value) ?? { path: '', reason: 'does not fit the schema' };
  const place = problem.path === '' ? what : problem.path;
  return { sentence: `${place}: ${problem.notYet ?? problem.reason}`, isNotYet: problem.notYet !== undefined };
}
