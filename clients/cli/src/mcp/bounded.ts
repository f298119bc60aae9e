// SPDX-License-Identifier: Apache-2.0
/** Answers that an agent can hold: JSON that any program reads, and no more of it than a bound. */
import { normalisePointId } from '@sextant/contracts-vector';

/** About 25,000 tokens. */
export const ANSWER_BYTES_MAX = 100_000;
/** For what an answer has beside its list. */
const ROOM = 2_000;

/** Integers beyond 2^53 become text: the protocol's JSON has none, and programs would round them. */
export function plainJson(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plainJson);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainJson(member)]));
}

export type Fitted<Item> = { readonly items: readonly Item[]; readonly leftOut: number };

/** As many items, from the first on, as fit into an answer. */
export function fitted<Item>(items: readonly Item[], bytesMax = ANSWER_BYTES_MAX): Fitted<Item> {
  let bytes = ROOM;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(plainJson(item)) ?? '') + 1;
    return bytes > bytesMax;
  });
  const kept = end === -1 ? items : items.slice(0, end);
  return { items: kept, leftOut: items.length - kept.length };
}

/** An id as it was given: digits in text become the integer that they are. */
export function idOf(given: number | string): number | bigint | string {
  return typeof given === 'string' && /^\d+$/.test(given) && given.length <= 20 ? normalisePointId(BigInt(given)) : given;
}
