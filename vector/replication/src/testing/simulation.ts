// SPDX-License-Identifier: Apache-2.0
/**
 * A cluster in one process on simulated time: nodes over a log, on a network that loses and delays calls, while clients write and read and a nemesis kills
 * nodes and cuts them off. Everything that happens by chance comes from one seed, so a run can be repeated.
 */

import { assert, pause, type Random, seededRandom } from '@sextant/foundation-std';
import { isLinearizable, type RegisterAction, type RegisterOperation } from '@sextant/foundation-testing';
import type { WriteOperation } from '@sextant/vector-collection';
import { isCatalogOperation, shardName } from '@sextant/vector-collection';
import { MemoryLog, MemoryLogStore, type OperationLog } from '@sextant/vector-log';
import { decodeBatch } from '../batch.ts';
import { decodeOperation } from '../operation-codec.ts';
import { placeShards } from '../placement.ts';
import type { Replicator } from '../replicator.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { change, openSimulatedNode, type Placement, SimulatedDisk, type SimulatedPart, shardOf } from './simulated-node.ts';

/** What is broken on purpose, to see that a run finds it. */
export type Defect =
  /** A node that was killed forgets what it has applied. */
  | 'marks are lost'
  /** The log takes an entry again whose answer was lost. */
  | 'entries are not recognised'
  /** The log answers a position that it had some time ago. */
  | 'the newest position is old'
  /** The log loses entries that nodes have read, and no node looks for the last that it knows. */
  | 'a lost tail is not noticed';

export type SimulationOptions = {
  readonly seed: number;
  readonly defect?: Defect;
  /** The log is restored from a backup during the run. */
  readonly losesTail?: boolean;
};

const NODES = ['a', 'b', 'c', 'd'] as const;
const COLLECTION = 'points';
const POINTS = 4;
const CLIENTS = 3;
const STEPS = 14;
const RUN_MS = 4000;
const CALM_MS = 10_000;
/** When the log may be restored, so that it takes place in the run. */
const RESTORE_FROM_MS = 1800;
const RESTORE_UNTIL_MS = 3200;
/** Longer than a node tries to append: an append that goes on after a restore may put its entry where it was, before others that are gone. */
const OUTAGE_MS = 21_000;
const CALL_MS = 6;
const TIMEOUT_MS = 60;
/** Of a hundred calls of the log, those that fail, and of a hundred operations, those that find no room at first. */
const FAULTS = 6;
const TROUBLES = 3;

type Life = { readonly replicator: Replicator; isAlive: boolean };

class Simulation {
  readonly #random: Random;
  readonly #clock = new SimulatedClock();
  readonly #store = new MemoryLogStore(this.#clock);
  readonly #disks = NODES.map(() => new SimulatedDisk());
  readonly #lives: (Life | undefined)[] = NODES.map(() => undefined);
  /** Nodes that must not go on, and said so. */
  readonly #refused = new Set<number>();
  readonly #cut = new Set<number>();
  readonly #history = new Map<number, RegisterOperation[]>();
  readonly #defect: Defect | undefined;
  readonly #losesTail: boolean;
  readonly #violations: string[] = [];
  #kills = 0;
  #value = 0;
  #isCalm = false;

  constructor({ seed, defect, losesTail = false }: SimulationOptions) {
    this.#random = seededRandom(seed);
    this.#defect = defect;
    this.#losesTail = losesTail;
  }

  async run(): Promise<void> {
    for (const node of NODES.keys()) this.#start(node);
    await this.#clock.runUntil(500);
    const placement = this.#create();
    await this.#clock.runUntil(1000);
    for (let client = 0; client < CLIENTS; client++) void this.#work();
    void this.#harm();
    const endMs = 1000 + RUN_MS + (this.#losesTail ? OUTAGE_MS : 0);
    await this.#clock.runUntil(endMs);
    this.#isCalm = true;
    this.#cut.clear();
    for (const node of NODES.keys()) if (this.#lives[node]?.isAlive !== true) this.#start(node);
    await this.#clock.runUntil(endMs + CALM_MS);
    this.#check(placement);
  }

  get report(): SimulationReport {
    const operations = [...this.#history.values()].flat();
    const answered = operations.filter(({ answeredMs }) => Number.isFinite(answeredMs)).length;
    return {
      violations: this.#violations,
      answered,
      unanswered: operations.length - answered,
      kills: this.#kills,
      refused: this.#refused.size,
    };
  }

  #create(): Placement {
    const replicas = 1 + this.#random.integer(NODES.length);
    const shards = this.#random.integer(3) === 0 ? 0 : 1 + this.#random.integer(5);
    const held = new Map(NODES.map((node) => [node, this.#random.integer(4)]));
    const placement = placeShards({ shards, replicas, nodes: NODES, held });
    for (const nodes of placement) {
      if (new Set(nodes).size !== replicas) this.#violations.push(`a shard that should have ${replicas} copies is on ${nodes}`);
    }
    const request = { vectors: { size: 1, distance: 'Dot' } } as const;
    const operation: WriteOperation =
      shards === 0
        ? { kind: 'create_collection', collection: COLLECTION, request }
        : { kind: 'create_sharded_collection', collection: COLLECTION, request, placement };
    void this.#at(this.#random.integer(NODES.length))?.onCatalog(operation);
    return placement;
  }

  #start(node: number): void {
    if (this.#refused.has(node)) return;
    const disk = this.#diskOf(node);
    const life: { isAlive: boolean } = { isAlive: true };
    const isAlive = () => life.isAlive;
    const clock = this.#clock.whileAlive(isAlive);
    const replicator = openSimulatedNode({
      name: NODES[node] ?? '',
      disk,
      log: this.#logOf(node, isAlive),
      clock,
      random: this.#random,
      troubles: () => (this.#isCalm ? 0 : TROUBLES),
      isAlive,
      isTrusting: this.#defect === 'a lost tail is not noticed',
      failed: () => {
        this.#refused.add(node);
        life.isAlive = false;
      },
    });
    this.#lives[node] = Object.assign(life, { replicator });
    replicator.start().catch(() => {
      this.#refused.add(node);
      life.isAlive = false;
    });
  }

  #kill(node: number): void {
    const life = this.#lives[node];
    this.#kills += 1;
    if (life !== undefined) life.isAlive = false;
    if (this.#defect === 'marks are lost') this.#diskOf(node).forgetMarks();
  }

  /** The log as a node reaches it: calls take time, fail before or after they are done, and end with the process. */
  #logOf(node: number, isAlive: () => boolean): OperationLog {
    const log = new MemoryLog(this.#store, this.#clock);
    let staleLast = 0;
    const call = async <Result>(act: () => Promise<Result>): Promise<Result> => {
      await this.#travel(node, isAlive);
      const result = await act();
      await this.#travel(node, isAlive);
      return result;
    };
    return {
      entryBytesMax: log.entryBytesMax,
      describe: () =>
        call(async () => {
          const described = await log.describe();
          if (this.#defect !== 'the newest position is old') return described;
          const { last } = described;
          const answered = { ...described, last: Math.max(staleLast, last - 2) };
          staleLast = answered.last;
          return answered;
        }),
      append: (entry) =>
        call(() =>
          log.append(this.#defect === 'entries are not recognised' ? { ...entry, id: `${entry.id} ${this.#random.integer(1e9)}` } : entry),
        ),
      read: (from) => call(() => log.read(from)),
      truncate: (bounds) => call(() => log.truncate(bounds)),
      announce: (announcement) => call(() => log.announce(announcement)),
      members: () => call(() => log.members()),
      forget: (name) => call(() => log.forget(name)),
      close: () => log.close(),
    };
  }

  async #travel(node: number, isAlive: () => boolean): Promise<void> {
    await pause(this.#clock, this.#random.integer(CALL_MS));
    if (!isAlive()) await new Promise(() => undefined);
    if (this.#cut.has(node)) {
      await pause(this.#clock, TIMEOUT_MS);
      throw new Error('the log cannot be reached');
    }
    if (!this.#isCalm && this.#random.integer(100) < FAULTS) throw new Error('the connection was cut');
  }

  async #harm(): Promise<void> {
    let isRestored = false;
    while (!this.#isCalm) {
      await pause(this.#clock, 100 + this.#random.integer(500));
      if (this.#isCalm) return;
      const node = this.#random.integer(NODES.length);
      if (this.#losesTail && !isRestored && this.#clock.nowMs() > RESTORE_FROM_MS && this.#clock.nowMs() < RESTORE_UNTIL_MS) {
        isRestored = true;
        await this.#restoreLog();
        continue;
      }
      if (this.#random.integer(2) === 0) {
        this.#kill(node);
        await pause(this.#clock, this.#random.integer(300));
        if (!this.#isCalm) this.#start(node);
      } else {
        this.#cut.add(node);
        await pause(this.#clock, this.#random.integer(600));
        this.#cut.delete(node);
      }
    }
  }

  /** To what it was before its last entries; nobody can reach it meanwhile. */
  async #restoreLog(): Promise<void> {
    for (const node of NODES.keys()) this.#cut.add(node);
    await pause(this.#clock, OUTAGE_MS);
    const lost = Math.min(3, this.#store.last - 1);
    this.#store.last -= lost;
    this.#store.entries.splice(this.#store.entries.length - lost);
    if (this.#defect === 'a lost tail is not noticed') {
      for (const [node, disk] of this.#disks.entries()) {
        this.#kill(node);
        const { log } = disk.documents.get('replication') as { readonly log: string };
        // As if it took every log for the one that it followed, wherever that ends.
        disk.documents.set('replication', { log, applied: Math.min(this.#store.last, appliedOn(disk)) });
      }
    }
    this.#cut.clear();
    if (this.#defect === 'a lost tail is not noticed') for (const node of NODES.keys()) this.#start(node);
  }

  async #work(): Promise<void> {
    for (let step = 0; step < STEPS && !this.#isCalm; step++) {
      await pause(this.#clock, this.#random.integer(250));
      const node = this.#random.integer(NODES.length);
      const id = this.#random.integer(POINTS);
      if (this.#at(node) === undefined) continue;
      if (this.#random.integer(2) === 0) await this.#read(node, id);
      // Those that come together share an entry of the log.
      else for (let count = this.#random.integer(3); count >= 0; count--) void this.#write(node, (id + count) % POINTS);
    }
  }

  async #read(node: number, id: number): Promise<void> {
    const calledMs = this.#clock.nowMs();
    const part = partFor(this.#diskOf(node), id);
    if (part === undefined) return;
    try {
      await this.#at(node)?.caughtUp();
    } catch {
      return;
    }
    // A node that was killed meanwhile answers nothing.
    if (this.#at(node) === undefined) return;
    this.#note(id, { action: { kind: 'read', found: part.points.get(id)?.value }, calledMs, answeredMs: this.#clock.nowMs() });
  }

  async #write(node: number, id: number): Promise<void> {
    this.#value += 1;
    const value = this.#value;
    const kind = this.#random.integer(4);
    const points = [{ id, vector: [value], payload: {} }];
    const [action, operation]: [RegisterAction, Parameters<Replicator['onCollection']>[0]] =
      kind === 0
        ? [
            { kind: 'write', value: undefined },
            { kind: 'delete_points', collection: COLLECTION, selector: { points: [id] } },
          ]
        : kind === 1
          ? [
              { kind: 'write_if', expected: undefined, value },
              { kind: 'upsert', collection: COLLECTION, points, condition: { mode: 'insert_only' } },
            ]
          : [
              { kind: 'write', value },
              { kind: 'upsert', collection: COLLECTION, points },
            ];
    const calledMs = this.#clock.nowMs();
    const operations = this.#history.get(id) ?? [];
    this.#history.set(id, operations);
    const place = operations.push({ action, calledMs, answeredMs: Number.POSITIVE_INFINITY }) - 1;
    try {
      await this.#at(node)?.onCollection(operation);
      operations[place] = { action, calledMs, answeredMs: this.#clock.nowMs() };
    } catch {
      // Nobody knows what became of it.
    }
  }

  /** Once all is calm, each node that goes on has what the log says, and every client got an answer that may be true. */
  #check(placement: Placement): void {
    const said = this.#replayed(placement);
    const going = NODES.flatMap((_, node) => (this.#refused.has(node) ? [] : [node]));
    if (!this.#losesTail && going.length < NODES.length) this.#violations.push(`nodes gave up: ${[...this.#refused]}`);
    for (const node of going) {
      const held = this.#diskOf(node).parts;
      const name = NODES[node] ?? '';
      const expected = [...said.keys()].filter((part) => part === COLLECTION || placement[shardIndex(part)]?.includes(name));
      if (expected.toSorted().join() !== [...held.keys()].toSorted().join()) this.#violations.push(`${name} holds ${[...held.keys()]}`);
      for (const part of expected) {
        const [own, right] = [held.get(part), said.get(part)];
        if (own === undefined || right === undefined || textOf(own) !== textOf(right))
          this.#violations.push(`${part} on ${name} is ${own && textOf(own)}, and by the log ${right && textOf(right)}`);
      }
    }
    if (this.#losesTail) return;
    const nowMs = this.#clock.nowMs();
    for (const [id, operations] of this.#history) {
      const found = partFor(said, id, placement)?.points.get(id)?.value;
      const history = [...operations, { action: { kind: 'read', found } as const, calledMs: nowMs, answeredMs: nowMs + 1 }];
      if (!isLinearizable(history)) this.#violations.push(`point ${id} is not linearizable: ${JSON.stringify(history)}`);
    }
  }

  /** What the entries of the log come to, one after the other, each batch as often as it is there. */
  #replayed(placement: Placement): Map<string, SimulatedPart> {
    const names = [COLLECTION, ...placement.map((_, index) => shardName(COLLECTION, index))];
    const parts = new Map(names.map((name) => [name, { points: new Map(), sequence: 0, applied: { position: 0, index: 0 } }]));
    let isCreated = false;
    for (const { entry } of this.#store.entries) {
      for (const bytes of decodeBatch(entry).operations) {
        const operation = decodeOperation(bytes);
        if (isCatalogOperation(operation)) isCreated = true;
        // What comes before the collection is refused.
        if (isCatalogOperation(operation) || !isCreated) continue;
        for (const [name, part] of parts) {
          change(part, operation, (id) => (name === COLLECTION ? placement.length === 0 : shardOf(id, placement) === shardIndex(name)));
        }
      }
    }
    return parts;
  }

  #note(id: number, operation: RegisterOperation): void {
    this.#history.set(id, [...(this.#history.get(id) ?? []), operation]);
  }

  #at(node: number): Replicator | undefined {
    const life = this.#lives[node];
    return life?.isAlive === true ? life.replicator : undefined;
  }

  #diskOf(node: number): SimulatedDisk {
    const disk = this.#disks[node];
    assert(disk !== undefined, 'every node has a disk');
    return disk;
  }
}

function partFor(of: SimulatedDisk | Map<string, SimulatedPart>, id: number, known?: Placement): SimulatedPart | undefined {
  const placement = known ?? (of instanceof SimulatedDisk ? of.placements.get(COLLECTION) : undefined);
  const parts = of instanceof SimulatedDisk ? of.parts : of;
  if (placement === undefined) return undefined;
  return parts.get(placement.length === 0 ? COLLECTION : shardName(COLLECTION, shardOf(id, placement)));
}

function shardIndex(part: string): number {
  return part === COLLECTION ? -1 : Number(part.slice(shardName(COLLECTION, 0).length - 1));
}

function appliedOn({ documents }: SimulatedDisk): number {
  return (documents.get('replication') as { readonly applied: number }).applied;
}

function textOf({ sequence, points }: SimulatedPart): string {
  return JSON.stringify([sequence, [...points].toSorted(([one], [other]) => one - other)]);
}

export type SimulationReport = {
  /** What went wrong; nothing should. */
  readonly violations: readonly string[];
  readonly answered: number;
  readonly unanswered: number;
  readonly kills: number;
  /** Nodes that must not go on, and said so. */
  readonly refused: number;
};

export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const simulation = new Simulation(options);
  await simulation.run();
  return simulation.report;
}
