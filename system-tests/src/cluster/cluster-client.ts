// SPDX-License-Identifier: Apache-2.0
/**
 * A client of a cluster that writes by way of one node after the other and remembers the answers that it got. A write that was acknowledged is there on every node
 * at the end; of one that was not answered, nobody knows; and a node that has acknowledged a write shows it, or a later one, from then on.
 */

import type { Random } from '@sextant/foundation-std';
import type { JsonClient } from '@sextant/foundation-testing';

/** Every client counts it up, each time if it still is what the client has read. */
export const COUNTER = 1_000_000;
const IDS_PER_CLIENT = 20;
const GONE = 0;
const CALL_TIMEOUT_MS = 30_000;

export type Violation = string;

/** A collection by way of one node. */
export type CollectionAtNode = { readonly client: JsonClient; readonly collection: string };

type Known = {
  /** The last value whose write was acknowledged. */
  acknowledged: number;
  /** Later values whose writes nobody has answered. */
  readonly unanswered: Set<number>;
};

type Point = { readonly id: number; readonly payload: { readonly value: number } };

export class ClusterClient {
  readonly #first: number;
  readonly #random: Random;
  readonly #nodeAt: (index: number) => CollectionAtNode;
  readonly #known = new Map<number, Known>();
  readonly violations: Violation[] = [];
  #value = 0;
  acknowledged = 0;
  /** Attempts to count up, of which nobody knows how many counted. */
  counted = 0;

  constructor(number: number, random: Random, nodeAt: (index: number) => CollectionAtNode) {
    this.#first = number * IDS_PER_CLIENT;
    this.#random = random;
    this.#nodeAt = nodeAt;
  }

  /** One write and, where it was acknowledged, a look at the node that acknowledged it. */
  async step(nodes: number): Promise<void> {
    const node = this.#nodeAt(this.#random.integer(nodes));
    if (this.#random.integer(8) === 0) return this.#count(node);
    const id = this.#first + this.#random.integer(IDS_PER_CLIENT);
    const isDelete = this.#random.integer(6) === 0;
    this.#value += 1;
    const value = isDelete ? GONE : this.#value;
    const known = this.#known.get(id) ?? { acknowledged: GONE, unanswered: new Set() };
    this.#known.set(id, known);
    known.unanswered.add(value);
    const reply = isDelete
      ? await call(node, 'POST', 'points/delete', { points: [id] })
      : await call(node, 'PUT', 'points', { points: [{ id, vector: [value, id], payload: { value } }] });
    if (reply === undefined) return;
    // This client alone writes the point, one write after the other; but an unanswered one may still come.
    known.acknowledged = value;
    known.unanswered.delete(value);
    this.acknowledged += 1;
    const found = await call(node, 'POST', 'points', { ids: [id] });
    if (found !== undefined) this.#check(id, (found as readonly Point[])[0]?.payload.value ?? GONE, 'after its write');
  }

  /** What every node has to hold at the end. */
  checkAll(values: ReadonlyMap<number, number>, where: string): void {
    for (const id of this.#known.keys()) this.#check(id, values.get(id) ?? GONE, where);
  }

  #check(id: number, value: number, where: string): void {
    const known = this.#known.get(id);
    if (known === undefined || value === known.acknowledged || known.unanswered.has(value)) return;
    this.violations.push(
      `point ${id} has the value ${value} ${where}; acknowledged ${known.acknowledged}, unanswered ${[...known.unanswered]}`,
    );
  }

  async #count(node: CollectionAtNode): Promise<void> {
    const found = (await call(node, 'POST', 'points', { ids: [COUNTER] })) as readonly Point[] | undefined;
    const value = found?.[0]?.payload.value;
    if (value === undefined) return;
    this.counted += 1;
    await call(node, 'PUT', 'points', {
      points: [{ id: COUNTER, vector: [0, 0], payload: { value: value + 1 } }],
      update_filter: { must: { key: 'value', match: { value } } },
      update_mode: 'update_only',
    });
  }
}

/** Undefined where nobody can say what became of it. */
export async function call({ client, collection }: CollectionAtNode, method: string, path: string, body: unknown): Promise<unknown> {
  let reply: Awaited<ReturnType<JsonClient['request']>>;
  try {
    reply = await client.request(method, `/collections/${collection}/${path}`, body, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
  } catch {
    return undefined;
  }
  if (reply.status === 200) return (reply.body as { readonly result: unknown }).result;
  // A node that starts, ends or has lost its log says so.
  if (reply.status === 412 || reply.status === 503) return undefined;
  throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
}
