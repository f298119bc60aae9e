// SPDX-License-Identifier: Apache-2.0
/**
 * Whether what clients did to one point, and the answers that they got, could have happened one after the other, each between its call and its answer (Herlihy, Wing,
 * "Linearizability", TOPLAS 1990). The search is that of Wing and Gong ("Testing and verifying concurrent objects", JPDC 1993) with Lowe's memory of states
 * that were met before; each point is a history of its own, since a history is linearizable exactly if those of its objects are.
 */

/** What the point holds; undefined where there is none. */
export type RegisterValue = number | undefined;

export type RegisterAction =
  | { readonly kind: 'read'; readonly found: RegisterValue }
  | { readonly kind: 'write'; readonly value: RegisterValue }
  /** Writes where the point holds what is expected, and does nothing where it does not. */
  | { readonly kind: 'write_if'; readonly expected: RegisterValue; readonly value: number };

export type RegisterOperation = {
  readonly action: RegisterAction;
  readonly calledMs: number;
  /** Infinite where nobody answered: it was done at any time since, or never. */
  readonly answeredMs: number;
};

/** So far on the way through a history. */
type Place = {
  /** Every answered operation before it is done. */
  readonly from: number;
  /** Answered operations from there on that are done. */
  readonly done: ReadonlySet<number>;
  /** Unanswered ones that are done. */
  readonly extra: ReadonlySet<number>;
  readonly value: RegisterValue;
};

/** @param operations those of one point, which there was not before them */
export function isLinearizable(operations: readonly RegisterOperation[]): boolean {
  const answered = operations.filter(({ answeredMs }) => answeredMs !== Number.POSITIVE_INFINITY).toSorted(byCall);
  const unanswered = operations
    .filter((each) => each.answeredMs === Number.POSITIVE_INFINITY && mayBeSeen(each, operations))
    .toSorted(byCall);
  const places: Place[] = [{ from: 0, done: new Set(), extra: new Set(), value: undefined }];
  const met = new Set<string>();
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (place.from === answered.length) return true;
    const key = keyOf(place);
    if (met.has(key)) continue;
    met.add(key);
    places.push(...nextPlaces(place, answered, unanswered));
  }
  return false;
}

/** Done next is what was called before anything that is not done was answered. */
function nextPlaces(place: Place, answered: readonly RegisterOperation[], unanswered: readonly RegisterOperation[]): Place[] {
  const next: Place[] = [];
  const candidates: number[] = [];
  let endMs = Number.POSITIVE_INFINITY;
  for (let at = place.from; at < answered.length; at++) {
    const operation = answered[at];
    if (operation === undefined || operation.calledMs > endMs) break;
    if (place.done.has(at)) continue;
    candidates.push(at);
    endMs = Math.min(endMs, operation.answeredMs);
  }
  for (const [at, { action, calledMs }] of unanswered.entries()) {
    if (calledMs > endMs || place.extra.has(at)) continue;
    const value = after(action, place.value);
    if (value !== REFUSED) next.push({ ...place, extra: new Set([...place.extra, at]), value });
  }
  // What is pushed last is looked at first: answered operations, and of these the earliest.
  for (const at of candidates.toReversed()) {
    const operation = answered[at];
    if (operation === undefined || operation.calledMs > endMs) continue;
    const value = after(operation.action, place.value);
    if (value !== REFUSED) next.push({ ...advanced(place, at), value });
  }
  return next;
}

function advanced(place: Place, at: number): Place {
  const done = new Set(place.done).add(at);
  let { from } = place;
  while (done.delete(from)) from += 1;
  return { ...place, from, done };
}

const REFUSED = Symbol('the operation cannot have had this answer');

function after(action: RegisterAction, value: RegisterValue): RegisterValue | typeof REFUSED {
  switch (action.kind) {
    case 'read':
      return action.found === value ? value : REFUSED;
    case 'write':
      return action.value;
    case 'write_if':
      return action.expected === value ? action.value : value;
  }
}

/**
 * A write that nobody answered and whose value no read found and no condition names changes nothing that can be observed: until the next write there was no read,
 * so what the point held before it will do as well. Leaving such writes out keeps the search short.
 */
function mayBeSeen({ action }: RegisterOperation, operations: readonly RegisterOperation[]): boolean {
  if (action.kind === 'read') return false;
  return operations.some(({ action: other }) => {
    if (other.kind === 'write') return false;
    return (other.kind === 'read' ? other.found : other.expected) === action.value;
  });
}

function byCall(one: RegisterOperation, other: RegisterOperation): number {
  return one.calledMs - other.calledMs;
}

function keyOf({ from, done, extra, value }: Place): string {
  const sorted = (numbers: ReadonlySet<number>) => [...numbers].toSorted((one, other) => one - other).join();
  return `${from};${sorted(done)};${sorted(extra)};${value}`;
}
