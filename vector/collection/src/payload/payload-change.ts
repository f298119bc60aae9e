// SPDX-License-Identifier: Apache-2.0
/**
 * Changes of a payload. A payload is a plain JSON object and is never altered in place: each function answers a new one,
 * sharing what did not change. Members are defined, never assigned, so a key such as `__proto__` is data like any other.
 */
import { type Payload, ServiceError } from '@sextant/contracts-vector';
import type { JsonValue } from '@sextant/foundation-std';
import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, JsonPathError, type PathStep, parseJsonPath } from './json-path.ts';
import { dropPaths, pathTree } from './path-tree.ts';

/** Parses a path that a request names in `member` (such as `keys[2]`); `ServiceError('invalid_request')` when it is none. */
export function parseRequestPath(text: string, member: string): JsonPath {
  try {
    return parseJsonPath(text);
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new ServiceError('invalid_request', { reason: `${member}: ${error.message}` }, { cause: error });
  }
}

/**
 * Merges `patch` into the payload, or into the object that `at` leads to. The merge is shallow: a member replaces the one of its name,
 * and null removes it. What is missing on the way, or of another kind than its step, becomes an object for a key and an empty array for `[]` or
 * `[0]`; array steps only reach elements that exist.
 */
export function setPayload(payload: Payload, patch: Payload, at?: JsonPath): Payload {
  return at === undefined ? merge(payload, patch) : changeObjectsAt(payload, at, (object) => merge(object, patch));
}

/** Replaces the payload, or the object that `at` leads to, by `replacement`. Reaches the same places as `setPayload`. */
export function overwritePayload(payload: Payload, replacement: Payload, at?: JsonPath): Payload {
  return at === undefined ? replacement : changeObjectsAt(payload, at, () => replacement);
}

/** Removes what the paths lead to. `a[].b` removes `b` from each element of `a`; `a[]` empties `a`. */
export function deletePayloadKeys(payload: Payload, paths: readonly JsonPath[]): Payload {
  return paths.length === 0 ? payload : dropPaths(payload, pathTree(paths));
}

/**
 * The paths of a delete request. One that ends in an element, such as `a[0]`, is refused:
 * a client that repeats the request would remove the next element.
 */
export function parseDeletePaths(keys: readonly string[]): readonly JsonPath[] {
  return keys.map((key, index) => {
    const path = parseRequestPath(key, `keys[${index}]`);
    if (path.steps.at(-1)?.kind === 'index') {
      const reason = `keys[${index}]: ${key} is an element of an array, which cannot be deleted alone; set the whole array instead`;
      throw new ServiceError('invalid_request', { reason });
    }
    return path;
  });
}

function merge(object: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(object));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function changeObjectsAt(payload: Payload, at: JsonPath, change: (object: JsonObject) => JsonObject): Payload {
  const changed = changeAt(payload, at.steps, change);
  return changed !== undefined && isJsonObject(changed) ? changed : payload;
}

function changeAt(
  value: JsonValue | undefined,
  steps: readonly PathStep[],
  change: (object: JsonObject) => JsonObject,
): JsonValue | undefined {
  const [step, ...rest] = steps;
  const object = value !== undefined && isJsonObject(value) ? value : {};
  if (step === undefined) return change(object);
  if (step.kind === 'key') {
    const inner = changeAt(Object.hasOwn(object, step.key) ? object[step.key] : undefined, rest, change);
    return inner === undefined ? value : { ...object, [step.key]: inner };
  }
  if (value === undefined || !isJsonArray(value)) return [];
  return value.map((element, index) =>
    step.kind === 'index' && step.index !== index ? element : (changeAt(element, rest, change) ?? element),
  );
}
