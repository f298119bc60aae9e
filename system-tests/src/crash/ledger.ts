/**
 * What the clients of a run know about one collection: for each point the state that was acknowledged, and beside it the state that a
 * request now on its way would make. After a crash the first must be there unless the second is; nothing else may be.
 */
import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Payload, PointRecord } from '@sextant/contracts-vector';
import { seededRandom } from '@sextant/foundation-std';

/** A point as it may be found; its vector follows from its id and `vectorVersion`. */
export type PointState = { readonly vectorVersion: number; readonly payload: Payload };

/** Null is a point that is not there. */
type Slot = { acknowledged: PointState | null; proposed: PointState | null | undefined };

export const DIMENSION = 16;

/** Different for every id and version, and the same in every run. */
export function vectorOf(id: number, vectorVersion: number): readonly number[] {
  const random = seededRandom(Math.imul(id + 1, 0x9e3779b1) ^ Math.imul(vectorVersion + 1, 0x85ebca6b));
  return Array.from({ length: DIMENSION }, () => random.integer(20_000) / 10_000 - 1);
}

export class PointLedger {
  readonly #slots = new Map<number, Slot>();

  /** What is acknowledged; null where the point is not there or was never written. */
  acknowledged(id: number): PointState | null {
    return this.#slots.get(id)?.acknowledged ?? null;
  }

  propose(id: number, state: PointState | null): void {
    this.#slots.set(id, { acknowledged: this.acknowledged(id), proposed: state });
  }

  /** The write that proposed these states was acknowledged. */
  settle(ids: Iterable<number>): void {
    for (const id of ids) {
      const slot = this.#slots.get(id);
      if (slot?.proposed !== undefined) this.#slots.set(id, { acknowledged: slot.proposed, proposed: undefined });
    }
  }

  /** Compares what a server holds with what it may hold, and takes it as acknowledged from now on. */
  reconcile(found: readonly PointRecord[]): void {
    const byId = new Map(found.map((point) => [Number(point.id), point]));
    for (const id of byId.keys()) ok(this.#slots.has(id), `point ${id} was never written`);
    for (const [id, slot] of this.#slots) {
      this.#slots.set(id, { acknowledged: reconcileSlot(id, slot, byId.get(id)), proposed: undefined });
    }
  }

  clear(): void {
    this.#slots.clear();
  }
}

function reconcileSlot(id: number, { acknowledged, proposed }: Slot, found: PointRecord | undefined): PointState | null {
  const allowed = proposed === undefined ? [acknowledged] : [acknowledged, proposed];
  const state = allowed.find((candidate) => fits(id, candidate, found));
  if (state !== undefined) return state;
  const vector = (version: number) => vectorOf(id, version);
  const expected = allowed.map((candidate) => candidate && { ...candidate, vector: vector(candidate.vectorVersion) });
  deepStrictEqual(found ?? null, expected, `point ${id} is neither as acknowledged nor as the request on its way would have made it`);
  return null;
}

function fits(id: number, state: PointState | null, found: PointRecord | undefined): boolean {
  if (state === null || found === undefined) return state === null && found === undefined;
  return isSamePayload(state.payload, found.payload ?? {}) && isSameVector(vectorOf(id, state.vectorVersion), found.vector);
}

function isSamePayload(a: Payload, b: Payload): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** Equal but for the rounding to 32 bits. */
function isSameVector(expected: readonly number[], found: PointRecord['vector']): boolean {
  return (
    Array.isArray(found) &&
    found.length === expected.length &&
    expected.every((value, index) => Math.abs(value - Number(found[index])) < 1e-6)
  );
}
