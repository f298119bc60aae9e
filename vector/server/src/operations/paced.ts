// SPDX-License-Identifier: Apache-2.0
/**
 * Long answers in slices. Whatever a serving thread does in one go, its other clients wait for; between two slices they get their turn.
 */
import { setImmediate } from 'node:timers/promises';
import { JsonText, jsonOf } from './json-text.ts';

/** Points at a time: with vectors of 768 dimensions, under 10 ms of rounding or printing. */
const SLICE = 64;

/** Lets other requests run. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
}

export async function pacedMap<Item, Mapped>(items: readonly Item[], map: (item: Item) => Mapped): Promise<readonly Mapped[]> {
  if (items.length <= SLICE) return items.map(map);
  const mapped: Mapped[] = [];
  for (let start = 0; start < items.length; start += SLICE) {
    for (const item of items.slice(start, start + SLICE)) mapped.push(map(item));
    await nextTurn();
  }
  return mapped;
}

/** The same text as `stringifyJson`, of a result: a list of points, an object that has one, or a list of either; what is text already stays. */
export async function pacedJson(value: unknown): Promise<string> {
  if (Array.isArray(value)) return `[${(await pacedItems(value)).join(',')}]`;
  if (typeof value !== 'object' || value === null || value instanceof JsonText) return jsonOf(value);
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${Array.isArray(member) ? await pacedJson(member) : jsonOf(member)}`);
  }
  return `{${members.join(',')}}`;
}

async function pacedItems(items: readonly unknown[]): Promise<readonly string[]> {
  const pieces: string[] = [];
  for (let start = 0; start < items.length; start += SLICE) {
    if (start > 0) await nextTurn();
    for (const item of items.slice(start, start + SLICE)) pieces.push(isAnswer(item) ? await pacedJson(item) : jsonOf(item));
  }
  return pieces;
}

/** One of the answers of a batch: a list itself, or an object with a list of points. */
function isAnswer(item: unknown): boolean {
  return Array.isArray(item) || (typeof item === 'object' && item !== null && 'points' in item);
}
