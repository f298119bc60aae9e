/** The gate of outside data: a compiled check, and a sentence when it says no. */
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { ServiceError } from './errors.ts';
import { explain } from './explain.ts';

type Check = (value: unknown) => boolean;

/** Schemas are constants, so each is compiled once per thread, when it is first needed. */
const compiled = new WeakMap<TSchema, Check>();

/** Lets a value through that fits its schema; throws a `ServiceError` that names the member which does not. */
export function validate(schema: TSchema, value: unknown, what: string): void {
  try {
    if (checkOf(schema)(value)) return;
    throw refusal(schema, value, what);
  } catch (error) {
    // The check recurses as deep as the value does; what overflows the stack is no filter that anyone means.
    if (error instanceof RangeError) throw new ServiceError('invalid_request', { reason: `${what}: nested too deeply` }, { cause: error });
    throw error;
  }
}

/** Compiles a schema ahead of the first value; the larger ones take some ten milliseconds, which no request should wait for. */
export function prepareSchema(schema: TSchema): void {
  checkOf(schema);
}

function checkOf(schema: TSchema): Check {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const validator = Compile(schema);
  const check: Check = (value) => validator.Check(value);
  compiled.set(schema, check);
  return check;
}

function refusal(schema: TSchema, value: unknown, what: string): ServiceError {
  const problem = explain(schema, value) ?? { path: '', reason: 'does not fit the schema' };
  const place = problem.path === '' ? what : problem.path;
  if (problem.notYet !== undefined) return new ServiceError('not_supported_yet', { feature: `${place}: ${problem.notYet}` });
  return new ServiceError('invalid_request', { reason: `${place}: ${problem.reason}` });
}
