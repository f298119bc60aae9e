// SPDX-License-Identifier: Apache-2.0
/**
 * A search that goes to a copy of every group of shards and waits for the slowest, in simulated time: nodes with some cores and one queue each, searches that
 * come at random (Poisson), a network that delays each message, and a second copy that is asked when the first is late, as our nodes do
 * (Dean, Barroso, "The tail at scale", CACM 2013).
 */
import type { Random } from '@sextant/foundation-std';

export type FanOut = {
  /** Of shards: as many nodes as hold everything once. */
  readonly groups: number;
  /** Nodes that hold each group. */
  readonly copies: number;
  readonly cores: number;
  readonly searchesPerSecond: number;
  /** What a core takes for the shards of a group, drawn at random, in milliseconds. */
  readonly serviceMs: readonly number[];
  /** What asking a group and reading its answer takes of a core of the node that asks, in milliseconds. */
  readonly askMs: number;
  /** One way, in milliseconds: what every message takes at least, and the mean of what comes on top (exponential). */
  readonly networkMs: { readonly least: number; readonly more: number };
  /** How often a node stops, and for how long, in milliseconds: a pause of its garbage collector or its machine. */
  readonly stalls: { readonly everyMs: number; readonly ms: number };
  /**
   * Another copy is asked when the answer is later than this percentile of the answers so far; 1 for never. A node is asked no more than a
   * share of its questions so early; others when the first copy has not answered for half a second.
   */
  readonly hedge: { readonly at: number; readonly shareMax: number };
  readonly searches: number;
};

export type FanOutFigures = {
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Of the cores of all nodes. */
  readonly utilisation: number;
  /** Questions beyond one for each group of each search. */
  readonly hedgedShare: number;
};

/** As vector/server/src/cluster/shards/{hedge-budget,replicas}.ts have them. */
const HEDGES_AT_ONCE = 10;
const STOPPED_MS = 500;

type Event = { readonly atMs: number; readonly happen: () => void };

export function simulateFanOut(setting: FanOut, random: Random): FanOutFigures {
  const { groups, copies, cores, searchesPerSecond, serviceMs, askMs, networkMs, stalls, hedge, searches } = setting;
  const events = new EventQueue();
  const nodes = Array.from({ length: groups * copies }, () => new Node(cores));
  const exponential = (mean: number) => -mean * Math.log(1 - random.next());
  const latency = () => networkMs.least + exponential(networkMs.more);
  const latencies: number[] = [];
  const answers = new RecentPercentile(hedge.at);
  const budgets = nodes.map(() => HEDGES_AT_ONCE);
  let [busyMs, questions] = [0, 0];

  for (const node of nodes) scheduleStall(node, exponential(stalls.everyMs));
  let arrivesMs = 0;
  for (let search = 0; search < searches; search++) {
    arrivesMs += exponential(1000 / searchesPerSecond);
    const begunMs = arrivesMs;
    events.add(begunMs, () => begin(begunMs));
  }
  const endMs = arrivesMs;
  events.run(() => latencies.length === searches);
  latencies.sort((one, other) => one - other);
  return {
    medianMs: latencies[Math.floor(searches * 0.5)] ?? Number.NaN,
    p99Ms: latencies[Math.floor(searches * 0.99)] ?? Number.NaN,
    utilisation: busyMs / (endMs * nodes.length * cores),
    hedgedShare: questions / (searches * groups) - 1,
  };

  function scheduleStall(node: Node, atMs: number): void {
    events.add(atMs, () => {
      node.stall(atMs + stalls.ms);
      scheduleStall(node, atMs + exponential(stalls.everyMs));
    });
  }

  /** The node that a client happens to ask pays for asking the others, one after the other. */
  function begin(begunMs: number): void {
    const coordinator = nodes[random.integer(nodes.length)];
    if (coordinator === undefined) return;
    let waiting = groups;
    busyMs += askMs * groups;
    const askFrom = (group: number, atMs: number): void => {
      if (group === groups) return;
      const sentMs = coordinator.take(atMs, askMs);
      events.add(sentMs, () => {
        askGroup(group, sentMs, (answeredMs) => {
          waiting -= 1;
          if (waiting === 0) latencies.push(answeredMs - begunMs);
        });
        askFrom(group + 1, sentMs);
      });
    };
    askFrom(0, begunMs);
  }

  function askGroup(group: number, sentMs: number, answered: (atMs: number) => void): void {
    const first = random.integer(copies);
    const askedMs: number[] = [];
    let isAnswered = false;
    const ask = (copy: number, atMs: number): void => {
      const node = nodes[group * copies + (copy % copies)];
      if (node === undefined) return;
      questions += 1;
      askedMs.push(atMs);
      const arrivedMs = atMs + latency();
      events.add(arrivedMs, () => {
        const ms = serviceMs[random.integer(serviceMs.length)] ?? 0;
        busyMs += ms;
        const backMs = node.take(arrivedMs, ms) + latency();
        events.add(backMs, () => {
          if (isAnswered) return;
          isAnswered = true;
          // What is not needed any more would have taken longer still.
          for (const each of askedMs) answers.note(backMs - each);
          answered(backMs);
        });
      });
    };
    const [own, other] = [first, first + 1].map((copy) => group * copies + (copy % copies));
    if (own === undefined || other === undefined) return;
    budgets[own] = Math.min(HEDGES_AT_ONCE, (budgets[own] ?? 0) + hedge.shareMax);
    ask(first, sentMs);
    if (copies === 1 || answers.value === Number.POSITIVE_INFINITY) return;
    const lateMs = sentMs + answers.value;
    events.add(lateMs, () => {
      if (isAnswered) return;
      const left = budgets[other] ?? 0;
      const isEarly = left >= 1;
      if (isEarly) budgets[other] = left - 1;
      const atMs = isEarly ? lateMs : lateMs + Math.max(STOPPED_MS, answers.value);
      events.add(atMs, () => isAnswered || ask(first + 1, atMs));
    });
  }
}

/** Cores that take what comes in its order. */
class Node {
  readonly #freeMs: number[];

  constructor(cores: number) {
    this.#freeMs = Array.from({ length: cores }, () => 0);
  }

  /** @returns when work that comes at a time is done */
  take(atMs: number, ms: number): number {
    const core = this.#freeMs.indexOf(Math.min(...this.#freeMs));
    const doneMs = Math.max(atMs, this.#freeMs[core] ?? 0) + ms;
    this.#freeMs[core] = doneMs;
    return doneMs;
  }

  stall(untilMs: number): void {
    for (const [core, freeMs] of this.#freeMs.entries()) this.#freeMs[core] = Math.max(freeMs, untilMs);
  }
}

const RECENT = 2000;
const REFRESHED_AFTER = 200;

/** A percentile of the newest values; infinite before there are any. */
class RecentPercentile {
  readonly #share: number;
  readonly #values: number[] = [];
  #noted = 0;
  value = Number.POSITIVE_INFINITY;

  constructor(share: number) {
    this.#share = share;
  }

  note(value: number): void {
    if (this.#share >= 1) return;
    this.#values[this.#noted % RECENT] = value;
    this.#noted += 1;
    if (this.#noted % REFRESHED_AFTER !== 0) return;
    const sorted = this.#values.toSorted((one, other) => one - other);
    this.value = sorted[Math.floor(sorted.length * this.#share)] ?? Number.POSITIVE_INFINITY;
  }
}

/** What is to happen, the earliest first: a binary heap. */
class EventQueue {
  readonly #heap: Event[] = [];

  add(atMs: number, happen: () => void): void {
    const heap = this.#heap;
    let at = heap.length;
    const event = { atMs, happen };
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || parent.atMs <= atMs) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = event;
  }

  run(isOver: () => boolean): void {
    for (let next = this.#next(); next !== undefined && !isOver(); next = this.#next()) next.happen();
  }

  #next(): Event | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [one, other] = [heap[left], heap[left + 1]];
      if (one === undefined) break;
      const [child, below] = other !== undefined && other.atMs < one.atMs ? [other, left + 1] : [one, left];
      if (child.atMs >= last.atMs) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}
