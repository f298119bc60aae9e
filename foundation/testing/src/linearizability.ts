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
  const met = new Map<string, ReadonlySet<number>[]>();
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (place.from === answered.length) return true;
    // Whoever has fewer unanswered operations behind it can do whatever another one can.
    const { extra } = place;
    const key = keyOf(place);
    const before = met.get(key) ?? [];
    if (before.some((each) => each.isSubsetOf(extra))) continue;
    met.set(key, [...before.filter((each) => !extra.isSubsetOf(each)), extra]);
    places.push(...nextPlaces(place, answered, unanswered));
  }
  return false;
}

/**
 * Done next is what was called before anything that is not done was answered. An unanswered write has no end, so it can be done as late as right before what
 * observes its value: by then it has hidden nothing that it would not hide now. Of several with the same value, deletions most of all, the first will do.
 */
function nextPlaces(place: Place, answered: readonly RegisterOperation[], unanswered: readonly RegisterOperation[]): Place[] {
  const candidates: number[] = [];
  let endMs = Number.POSITIVE_INFINITY;
  for (let at = place.from; at < answered.length; at++) {
    const operation = answered[at];
    if (operation === undefined || operation.calledMs > endMs) break;
    if (place.done.has(at)) continue;
    candidates.push(at);
    endMs = Math.min(endMs, operation.answeredMs);
  }
  const free = [...unanswered.entries()].filter(([at, { calledMs }]) => calledMs <= endMs && !place.extra.has(at));
  const conditional = free.filter(([, { action }]) => action.kind === 'write_if');
  // What is pushed last is looked at first: answered operations, and of these the earliest.
  const observers: Step[] = [
    ...conditional.map(([at, { action }]): Step => ({ action, done: (from) => ({ ...from, extra: new Set([...from.extra, at]) }) })),
    ...candidates.toReversed().flatMap((at): Step[] => {
      const operation = answered[at];
      return operation === undefined || operation.calledMs > endMs
        ? []
        : [{ action: operation.action, done: (from) => advanced(from, at) }];
    }),
  ];
  const prepared = observers.flatMap((step) => {
    const wanted = wantedBy(step.action);
    if (wanted === ANY || wanted === place.value) return [];
    const write = free.find(([, { action }]) => action.kind === 'write' && action.value === wanted);
    if (write === undefined) return [];
    return taken(step, { ...place, extra: new Set([...place.extra, write[0]]), value: wanted });
  });
  const plain = observers.flatMap((step) => taken(step, place));
  return [...prepared, ...plain];
}

/** An operation that may be done next. */
type Step = { readonly action: RegisterAction; readonly done: (place: Place) => Place };

function taken({ action, done }: Step, place: Place): Place[] {
  const value = after(action, place.value);
  return value === REFUSED ? [] : [{ ...done(place), value }];
}

const ANY = Symbol('whatever the point holds');

/** What the point must hold for an operation to observe it. */
function wantedBy(action: RegisterAction): RegisterValue | typeof ANY {
  switch (action.kind) {
    case 'read':
      return action.found;
    case 'write':
      return ANY;
    case 'write_if':
      return action.expected;
  }
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

function keyOf({ from, done, value }: Place): string {
  return `${from};${[...done].toSorted((one, other) => one - other).join()};${value}`;
}
