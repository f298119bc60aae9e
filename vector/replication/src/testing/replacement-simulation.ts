// SPDX-License-Identifier: Apache-2.0
/**
 * Nodes that replace the copies of others, on simulated time: they die and come back, are removed, apply the log late, see the log go away, and each decides by
 * itself. What they append is accepted or refused by the placement as it is everywhere. All chance comes from one seed.
 */
import { ServiceError } from '@sextant/contracts-vector';
import { manualClock, type Random, seededRandom } from '@sextant/foundation-std';
import { changedPlacement, type Placed, type PlacementOperation } from '@sextant/vector-collection';
import { GoneNodes, type MetNode } from '../gone-nodes.ts';
import { placeShards } from '../placement.ts';
import { isDecider, nextReplacement } from '../replaced-copies.ts';

/** What is broken on purpose, to see that a run finds it. */
export type ReplacementDefect =
  /** A node is gone as soon as it is dead, also where it was the log that was away. */
  | 'silence is enough'
  /** A copy goes wherever it is asked to go, whatever is on its way or there already. */
  | 'the placement takes everything';

export type ReplacementReport = { readonly violations: readonly string[]; readonly replaced: number; readonly refused: number };

const NODES = ['a', 'b', 'c', 'd', 'e'] as const;
const COPIES = 2;
const LOOK_MS = 2000;
const DEAD_MS = 10_000;
const AFTER_MS = 60_000;
/** A node may have been silent for a moment before it died. */
const SILENT_BEFORE_MS = 2 * DEAD_MS;
const LOOKS = 400;
/** Enough for every copy that was lost, one after the other. */
const CALM_LOOKS = 600;

type SimulatedNode = { diedMs: number | undefined; announcedMs: number; applied: number; isMember: boolean; gone: GoneNodes };

class ReplacementSimulation {
  readonly #random: Random;
  readonly #clock = manualClock();
  readonly #defect: ReplacementDefect | undefined;
  readonly #nodes: ReadonlyMap<string, SimulatedNode>;
  /** As it is at each position of the log. */
  readonly #states: Placed[];
  readonly #violations: string[] = [];
  #logAwayLooks = 0;
  #ids = 0;
  #replaced = 0;
  #refused = 0;

  constructor(seed: number, defect: ReplacementDefect | undefined) {
    this.#random = seededRandom(seed);
    this.#defect = defect;
    this.#nodes = new Map(NODES.map((name) => [name, this.#newNode()]));
    const shards = 1 + this.#random.integer(5);
    this.#states = [{ placement: placeShards({ shards, replicas: COPIES, nodes: NODES, held: new Map() }), transfers: [] }];
  }

  run(): ReplacementReport {
    for (let look = 0; look < LOOKS + CALM_LOOKS; look++) {
      this.#clock.advance(LOOK_MS);
      if (look < LOOKS) this.#harm();
      else this.#logAwayLooks = 0;
      if (this.#logAwayLooks > 0) this.#logAwayLooks -= 1;
      else this.#everybodyLooks();
      this.#checkCopies();
    }
    const { placement, transfers } = this.#newest;
    if (transfers.length > 0) this.#violations.push(`${transfers.length} transfers never end`);
    const lost = Object.values(placement)
      .flat()
      .filter((node) => !this.#lives(node));
    if (lost.length > 0) this.#violations.push(`${lost.length} copies are never replaced`);
    return { violations: this.#violations, replaced: this.#replaced, refused: this.#refused };
  }

  get #newest(): Placed {
    return this.#states.at(-1) ?? { placement: [], transfers: [] };
  }

  #newNode(): SimulatedNode {
    const gone = new GoneNodes({ afterMs: this.#defect === 'silence is enough' ? DEAD_MS : AFTER_MS, clock: this.#clock });
    return { diedMs: undefined, announcedMs: this.#clock.monotonicMs(), applied: 0, isMember: true, gone };
  }

  #lives(name: string): boolean {
    return this.#nodes.get(name)?.diedMs === undefined;
  }

  #harm(): void {
    const chance = this.#random.integer(40);
    const [name = 'a', node] = [...this.#nodes][this.#random.integer(NODES.length)] ?? [];
    if (node === undefined) return;
    if (chance === 0 && this.#canDie(name)) node.diedMs = this.#clock.monotonicMs();
    if (chance === 1 && node.diedMs !== undefined && node.isMember) Object.assign(node, { ...this.#newNode(), applied: node.applied });
    if (chance === 2 && node.diedMs !== undefined && this.#isDead(node)) node.isMember = false;
    if (chance === 3 && this.#logAwayLooks === 0) this.#logAwayLooks = 1 + this.#random.integer(60);
  }

  /** Every shard keeps a copy on a node that lives, and three nodes go on. */
  #canDie(name: string): boolean {
    const others = NODES.filter((other) => other !== name && this.#lives(other));
    return (
      this.#lives(name) &&
      others.length > COPIES &&
      Object.values(this.#newest.placement).every((nodes) => nodes.some((node) => others.some((other) => other === node)))
    );
  }

  #isDead({ announcedMs }: SimulatedNode): boolean {
    return this.#clock.monotonicMs() - announcedMs > DEAD_MS;
  }

  /** In any order, some of them late: one that has not announced itself yet seems dead to those that look before. */
  #everybodyLooks(): void {
    const names = NODES.filter((name) => this.#lives(name) && this.#random.integer(4) > 0);
    for (const name of names.sort(() => this.#random.integer(3) - 1)) {
      const node = this.#nodes.get(name);
      if (node === undefined) continue;
      node.announcedMs = this.#clock.monotonicMs();
      node.applied = Math.max(node.applied, this.#states.length - 1 - this.#random.integer(3));
      this.#look(name, node);
    }
    this.#arrive();
  }

  #look(name: string, node: SimulatedNode): void {
    const members: MetNode[] = [...this.#nodes].flatMap(([other, each]) =>
      each.isMember ? [{ node: other, isDead: this.#isDead(each), silentMs: this.#clock.monotonicMs() - each.announcedMs }] : [],
    );
    const state = this.#states[node.applied] ?? this.#newest;
    const placed = [...Object.values(state.placement).flat(), ...state.transfers.map(({ to }) => to)];
    const gone = node.gone.look(members, placed);
    if (!isDecider(name, members)) return;
    const newId = () => String(++this.#ids);
    const operation = nextReplacement({
      collections: [{ name: 'films', shards: shardsIn(state), transfers: state.transfers }],
      members,
      gone,
      newId,
    });
    if (operation !== undefined) this.#append(operation);
  }

  #append(operation: PlacementOperation): void {
    if (operation.kind === 'begin_transfer') {
      const { from } = operation.transfer;
      const node = this.#nodes.get(from);
      const deadMs = this.#clock.monotonicMs() - (node?.diedMs ?? Number.POSITIVE_INFINITY);
      if (node?.isMember === true && deadMs < AFTER_MS - SILENT_BEFORE_MS)
        this.#violations.push(`a copy of ${from} is replaced that is not gone`);
    }
    try {
      this.#states.push(
        this.#defect === 'the placement takes everything' ? taken(this.#newest, operation) : changedPlacement(this.#newest, operation),
      );
      if (operation.kind === 'begin_transfer') this.#replaced += 1;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#refused += 1;
    }
  }

  /** A copy that is on its way comes sooner or later where its target lives, and another node that has it. */
  #arrive(): void {
    for (const { id, shard, to } of this.#newest.transfers) {
      const hasSource = (this.#newest.placement[shard] ?? []).some((node) => this.#lives(node));
      if (this.#lives(to) && hasSource && this.#random.integer(6) === 0) {
        this.#append({ kind: 'end_transfer', collection: 'films', id, isDone: true });
      }
    }
  }

  #checkCopies(): void {
    const { placement, transfers } = this.#newest;
    for (const [shard, nodes] of Object.entries(placement)) {
      if (new Set(nodes).size < COPIES) this.#violations.push(`shard ${shard} has the copies ${nodes.join(', ')}`);
      if (!nodes.some((node) => this.#lives(node))) this.#violations.push(`no node that lives has shard ${shard}`);
    }
    if (new Set(transfers.map(({ shard }) => shard)).size < transfers.length) this.#violations.push('a shard is on its way twice');
  }
}

function shardsIn({ placement }: Placed) {
  return Object.entries(placement).map(([number, nodes]) => ({ number: Number(number), nodes }));
}

function taken({ placement, transfers }: Placed, operation: PlacementOperation): Placed {
  switch (operation.kind) {
    case 'begin_transfer':
      return { placement, transfers: [...transfers, operation.transfer] };
    default:
      return changedPlacement({ placement, transfers }, operation);
  }
}

export function simulateReplacement(seed: number, defect?: ReplacementDefect): ReplacementReport {
  return new ReplacementSimulation(seed, defect).run();
}
