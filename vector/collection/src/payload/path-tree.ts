// SPDX-License-Identifier: Apache-2.0
/** Several paths as one tree, so that a payload is walked once however many paths keep or drop parts of it. */
import type { JsonValue } from '@sextant/foundation-std';
import { isJsonArray, isJsonObject, type JsonObject, type JsonPath } from './json-path.ts';

export type PathTree = {
  /** A path ends here: the whole value is meant. */
  whole: boolean;
  each: PathTree | undefined;
  readonly keys: Map<string, PathTree>;
  readonly indexes: Map<number, PathTree>;
};

export function pathTree(paths: readonly JsonPath[]): PathTree {
  const root = emptyTree();
  for (const path of paths) {
    let node = root;
    for (const step of path.steps) {
      if (step.kind === 'key') node = childOf(node.keys, step.key);
      else if (step.kind === 'index') node = childOf(node.indexes, step.index);
      else node = node.each ??= emptyTree();
    }
    node.whole = true;
  }
  return root;
}

/**
 * Only what the paths lead to. Objects and arrays on the way stay, if need be empty, so that elements can be distinguished;
 * a value that no path can enter is left out.
 */
export function keepPaths(object: JsonObject, tree: PathTree): JsonObject {
  const kept = prune(object, [tree], 'keep');
  return kept !== undefined && isJsonObject(kept) ? kept : {};
}

/** All but what the paths lead to. Untouched parts are shared with `object`. */
export function dropPaths(object: JsonObject, tree: PathTree): JsonObject {
  const rest = prune(object, [tree], 'drop');
  return rest !== undefined && isJsonObject(rest) ? rest : {};
}

/** `trees` are the places of the tree that stand for this value: `a[]` and `a[0]` both stand for the first element of `a`. */
function prune(value: JsonValue, trees: readonly PathTree[], mode: 'keep' | 'drop'): JsonValue | undefined {
  const unmeant = mode === 'keep' ? undefined : value;
  if (trees.length === 0) return unmeant;
  if (trees.some((tree) => tree.whole)) return mode === 'keep' ? value : undefined;
  if (isJsonArray(value)) {
    if (!trees.some((tree) => tree.each !== undefined || tree.indexes.size > 0)) return unmeant;
    return value.flatMap((element, index) => {
      const left = prune(element, present(trees.flatMap((tree) => [tree.each, tree.indexes.get(index)])), mode);
      return left === undefined ? [] : [left];
    });
  }
  if (!isJsonObject(value) || !trees.some((tree) => tree.keys.size > 0)) return unmeant;
  const members: [string, JsonValue][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const left = prune(inner, present(trees.map((tree) => tree.keys.get(key))), mode);
    if (left !== undefined) members.push([key, left]);
  }
  // `fromEntries` defines members instead of assigning them, so `__proto__` stays a name.
  return Object.fromEntries(members);
}

function present(trees: readonly (PathTree | undefined)[]): readonly PathTree[] {
  return trees.filter((tree) => tree !== undefined);
}

function childOf<Step>(children: Map<Step, PathTree>, step: Step): PathTree {
  const child = children.get(step) ?? emptyTree();
  children.set(step, child);
  return child;
}

function emptyTree(): PathTree {
  return { whole: false, each: undefined, keys: new Map(), indexes: new Map() };
}
