// SPDX-License-Identifier: Apache-2.0
/** The value of a formula for one candidate. */
import { type Condition, type DecayParams, type Expression, type Payload, ServiceError } from '@sextant/contracts-vector';
import type { JsonValue } from '@sextant/foundation-std';
import { operandsOf } from '../filter/conditions.ts';
import { parseDatetime } from '../filter/datetime.ts';
import { geoPointOf, haversine } from '../filter/geo.ts';
import { isJsonArray, type JsonPath, JsonPathError, parseJsonPath, resolvePath } from '../payload/json-path.ts';

/** What a formula may ask of a candidate. */
export type Candidate = {
  /** Of the i-th prefetch; undefined where it did not find the candidate. */
  readonly scores: readonly (number | undefined)[];
  readonly payload: Payload;
  holds(condition: Condition): boolean;
};

/** Names of what has no value for a candidate, with the values to take instead. */
export type Defaults = { readonly [name: string]: JsonValue };

const SCORE = /^\$score(?:\[(\d+)\])?$/;
const MICROSECONDS = 1_000_000;

/** Throws `invalid_request` where a value is missing, of the wrong kind, or the result is not a finite number. */
export function evaluate(expression: Expression, candidate: Candidate, defaults: Defaults): number {
  const value = (inner: Expression): number => evaluate(inner, candidate, defaults);
  if (typeof expression === 'number') return expression;
  if (typeof expression === 'string') return variable(expression, candidate, defaults);
  if ('mult' in expression)
    return finite(
      'mult',
      expression.mult.reduce<number>((product, factor) => product * value(factor), 1),
    );
  if ('sum' in expression)
    return finite(
      'sum',
      expression.sum.reduce<number>((total, term) => total + value(term), 0),
    );
  if ('neg' in expression) return -value(expression.neg);
  if ('abs' in expression) return Math.abs(value(expression.abs));
  if ('sqrt' in expression) return finite('sqrt', Math.sqrt(value(expression.sqrt)));
  if ('exp' in expression) return finite('exp', Math.exp(value(expression.exp)));
  if ('log10' in expression) return finite('log10', Math.log10(value(expression.log10)));
  if ('ln' in expression) return finite('ln', Math.log(value(expression.ln)));
  if ('pow' in expression) return finite('pow', value(expression.pow.base) ** value(expression.pow.exponent));
  if ('div' in expression) {
    const { left, right, by_zero_default: fallback } = expression.div;
    const divisor = value(right);
    return divisor === 0 && fallback != null ? fallback : finite('div', value(left) / divisor);
  }
  if ('geo_distance' in expression) {
    const { origin, to } = expression.geo_distance;
    const place = geoPointOf(payloadValue(to, candidate, defaults));
    if (place === undefined) throw refused(`geo_distance: the value of ${JSON.stringify(to)} is not a geo point {lon, lat}`);
    return haversine(origin, place);
  }
  if ('datetime' in expression) return seconds(expression.datetime, 'datetime');
  if ('datetime_key' in expression) return seconds(payloadValue(expression.datetime_key, candidate, defaults), 'datetime_key');
  if ('lin_decay' in expression) return linearDecay(value(expression.lin_decay.x), decayOf(expression.lin_decay, value));
  if ('exp_decay' in expression) return exponentialDecay(value(expression.exp_decay.x), decayOf(expression.exp_decay, value));
  if ('gauss_decay' in expression) return gaussianDecay(value(expression.gauss_decay.x), decayOf(expression.gauss_decay, value));
  return candidate.holds(expression) ? 1 : 0;
}

/** The conditions in a formula, each as the object that it is there. */
export function conditionsOf(expression: Expression): readonly Condition[] {
  if (typeof expression !== 'object') return [];
  const inner = operandsOf(expression);
  // Whatever has no operands and is none of the leaves below is a condition.
  if (inner !== undefined) return inner.flatMap(conditionsOf);
  return 'geo_distance' in expression || 'datetime' in expression || 'datetime_key' in expression ? [] : [expression as Condition];
}

function decayOf({ target, scale, midpoint }: DecayParams, value: (inner: Expression) => number): Decay {
  return { target: target == null ? 0 : value(target), scale: scale ?? 1, midpoint: midpoint ?? 0.5 };
}

function variable(name: string, candidate: Candidate, defaults: Defaults): number {
  const score = SCORE.exec(name);
  if (score !== null) return candidate.scores[Number(score[1] ?? 0)] ?? numberOr(name, defaults[name], 0);
  return numberOr(name, payloadValue(name, candidate, defaults));
}

/** Of several values, the first. */
function payloadValue(path: string, { payload }: Candidate, defaults: Defaults): JsonValue {
  const [found] = resolvePath(pathOf(path), payload);
  const value = found !== undefined && isJsonArray(found) ? found[0] : found;
  const known = value ?? defaults[path];
  if (known === undefined || known === null) {
    throw refused(`no value for ${JSON.stringify(path)} in the payload of a candidate; give one in \`defaults\``);
  }
  return known;
}

function pathOf(text: string): JsonPath {
  try {
    return parseJsonPath(text);
  } catch (error) {
    if (error instanceof JsonPathError) throw refused(error.message);
    throw error;
  }
}

function numberOr(name: string, value: JsonValue | undefined, fallback?: number): number {
  if (value === undefined && fallback !== undefined) return fallback;
  if (typeof value !== 'number' && typeof value !== 'bigint') throw refused(`the value of ${JSON.stringify(name)} is not a number`);
  return Number(value);
}

/** Since 1970. */
function seconds(value: JsonValue, name: string): number {
  const microseconds = typeof value === 'string' ? parseDatetime(value) : undefined;
  if (microseconds === undefined) throw refused(`${name}: expected an RFC 3339 date, got ${JSON.stringify(value)}`);
  return Number(microseconds) / MICROSECONDS;
}

function finite(name: string, value: number): number {
  if (!Number.isFinite(value)) throw refused(`${name} of a candidate is not a finite number; for div, set \`by_zero_default\``);
  return value;
}

function refused(reason: string): ServiceError {
  return new ServiceError('invalid_request', { reason: `formula: ${reason}` });
}

/**
 * 1 at the target, `midpoint` at a distance of `scale` from it. The shapes of decays are those of the function scores of text search engines.
 */
type Decay = { readonly target: number; readonly scale: number; readonly midpoint: number };

/** Falls evenly, to 0 and no further. */
function linearDecay(x: number, { target, scale, midpoint }: Decay): number {
  return Math.max(0, 1 - ((1 - midpoint) / scale) * Math.abs(x - target));
}

/** Falls by the same factor with each unit of distance. */
function exponentialDecay(x: number, { target, scale, midpoint }: Decay): number {
  return Math.exp((Math.log(midpoint) / scale) * Math.abs(x - target));
}

/** Falls as the normal density does. */
function gaussianDecay(x: number, { target, scale, midpoint }: Decay): number {
  return Math.exp((Math.log(midpoint) / scale ** 2) * (x - target) ** 2);
}
