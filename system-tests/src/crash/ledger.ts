// SPDX-License-Identifier: Apache-2.0
/**
 * What the clients of a run know about one collection: for each point the state that was acknowledged, and beside it the requests that are on their
 * way. After a crash what was acknowledged must be there, and of a request that was on its way either everything or nothing.
 */
import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Payload, PointRecord } from '@sextant/contracts-vector';
import { isSameVector, type PointShape } from './point-shape.ts';

/** A point as it may be found; its vectors follow from its id and `vectorVersion`. */
export type PointState = { readonly vectorVersion: number; readonly payload: Payload };

/** By id the states that a request makes; null is a point that is not there. */
export type Changes = ReadonlyMap<number, PointState | null>;

export class PointLedger {
  readonly shape: PointShape;
  readonly #acknowledged = new Map<number, PointState | null>();
  readonly #underWay = new Set<Changes>();

  constructor(shape: PointShape) {
    this.shape = shape;
  }

  /** What is acknowledged; null where the point is not there or was never written. */
  acknowledged(id: number): PointState | null {
    return this.#acknowledged.get(id) ?? null;
  }

  /** The points that are there, as far as it is acknowledged. */
  get points(): readonly (readonly [id: number, state: PointState])[] {
    return [...this.#acknowledged].flatMap(([id, state]) => (state === null ? [] : [[id, state] as const]));
  }

  /** Sends a request that makes these changes, and takes them as acknowledged once it is answered. Requests side by side are about different points. */
  async write(changes: Changes, request: () => Promise<unknown>): Promise<void> {
    this.#underWay.add(changes);
    await request();
    this.#underWay.delete(changes);
    this.#apply(changes);
  }

  /** Compares what a server holds with what it may hold, and takes it as acknowledged from now on. */
  reconcile(found: readonly PointRecord[]): void {
    const byId = new Map(found.map((point) => [Number(point.id), point]));
    ok(byId.size === found.length, 'an id is there twice');
    for (const changes of this.#underWay) if (this.#wasApplied(changes, byId)) this.#apply(changes);
    this.#underWay.clear();
    for (const id of byId.keys()) ok(this.#acknowledged.has(id), `point ${id} was never written`);
    for (const [id, state] of this.#acknowledged) {
      if (!this.#fits(id, state, byId.get(id))) this.#fail(id, state, byId.get(id));
    }
  }

  clear(): void {
    this.#acknowledged.clear();
    this.#underWay.clear();
  }

  #apply(changes: Changes): void {
    for (const [id, state] of changes) this.#acknowledged.set(id, state);
  }

  /** By the first point that shows it. That the others agree with it is seen when all are compared. */
  #wasApplied(changes: Changes, found: ReadonlyMap<number, PointRecord>): boolean {
    return [...changes].some(([id, state]) => {
      const record = found.get(id);
      return this.#fits(id, state, record) && !this.#fits(id, this.acknowledged(id), record);
    });
  }

  #fits(id: number, state: PointState | null, found: PointRecord | undefined): boolean {
    if (state === null || found === undefined) return state === null && found === undefined;
    return isSamePayload(state.payload, found.payload ?? {}) && isSameVector(this.shape.vector(id, state.vectorVersion), found.vector);
  }

  #fail(id: number, state: PointState | null, found: PointRecord | undefined): void {
    const expected = state && { ...state, vector: this.shape.vector(id, state.vectorVersion) };
    deepStrictEqual(
      found ?? null,
      expected,
      `point ${id} is neither as acknowledged nor, with all others of its request, as that would make it`,
    );
  }
}

function isSamePayload(a: Payload, b: Payload): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
