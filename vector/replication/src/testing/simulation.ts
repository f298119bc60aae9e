// SPDX-License-Identifier: Apache-2.0
/**
 * A cluster in one process on simulated time: nodes over a log, on a network that loses and delays calls, while clients write and read and a nemesis kills
 * nodes and cuts them off. Everything that happens by chance comes from one seed, so a run can be repeated.
 */

import { assert, pause, type Random, seededRandom } from '@sextant/foundation-std';
import { isLinearizable, type RegisterAction, type RegisterOperation } from '@sextant/foundation-testing';
import { placedShards, type WriteOperation } from '@sextant/vector-collection';
import { MemoryLog, MemoryLogStore, type OperationLog } from '@sextant/vector-log';
import { placeShards } from '../placement.ts';
import type { Replicator } from '../replicator.ts';
import { replayed } from './replayed.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { keyChange, partOf, reshardingChange } from './simulated-definitions.ts';
import { openSimulatedNode, SimulatedDisk, type SimulatedPart } from './simulated-node.ts';
import { randomWrite } from './simulated-writes.ts';
import type { Defect, SimulationOptions, SimulationReport } from './simulation-options.ts';

const NODES = ['a', 'b', 'c', 'd'] as const;
const COLLECTION = 'points';
const POINTS = 4;
/** Where keys divide the points, they come and go during the run. */
const KEYS = ['x', 'y'] as const;
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
  /** By the point, and its key where it has one. */
  readonly #history = new Map<string, RegisterOperation[]>();
  readonly #defect: Defect | undefined;
  readonly #losesTail: boolean;
  readonly #violations: string[] = [];
  #kills = 0;
  #value = 0;
  #isCalm = false;
  #isKeyed = false;
  #isDivided = false;
  #divisions = 0;

  constructor({ seed, defect, losesTail = false }: SimulationOptions) {
    this.#random = seededRandom(seed);
    this.#defect = defect;
    this.#losesTail = losesTail;
  }

  async run(): Promise<void> {
    for (const node of NODES.keys()) this.#start(node);
    await this.#clock.runUntil(500);
    this.#create();
    await this.#clock.runUntil(1000);
    for (let client = 0; client < CLIENTS; client++) void this.#work();
    void this.#harm();
    if (this.#isKeyed) void this.#changeKeys();
    if (this.#isDivided) void this.#reshard();
    const endMs = 1000 + RUN_MS + (this.#losesTail ? OUTAGE_MS : 0);
    await this.#clock.runUntil(endMs);
    this.#isCalm = true;
    this.#cut.clear();
    for (const node of NODES.keys()) if (this.#lives[node]?.isAlive !== true) this.#start(node);
    await this.#clock.runUntil(endMs + CALM_MS);
    this.#check();
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
      divisions: this.#divisions,
    };
  }

  #create(): void {
    const replicas = 1 + this.#random.integer(NODES.length);
    const shards = this.#random.integer(3) === 0 ? 0 : 1 + this.#random.integer(5);
    const held = new Map(NODES.map((node) => [node, this.#random.integer(4)]));
    const placement = placeShards({ shards, replicas, nodes: NODES, held });
    for (const nodes of placement) {
      if (new Set(nodes).size !== replicas) this.#violations.push(`a shard that should have ${replicas} copies is on ${nodes}`);
    }
    this.#isKeyed = this.#random.integer(3) === 0;
    this.#isDivided = this.#random.integer(2) === 0 && !this.#losesTail;
    const request = { vectors: { size: 1, distance: 'Dot' } } as const;
    const operation: WriteOperation = this.#isKeyed
      ? { kind: 'create_sharded_collection', collection: COLLECTION, request: { ...request, sharding_method: 'custom' }, placement: [] }
      : shards === 0
        ? { kind: 'create_collection', collection: COLLECTION, request }
        : { kind: 'create_sharded_collection', collection: COLLECTION, request, placement };
    void this.#at(this.#random.integer(NODES.length))?.onCatalog(operation);
  }

  /** A key that goes takes its points along: as if each was deleted. */
  async #changeKeys(): Promise<void> {
    while (!this.#isCalm) {
      const { operation, key, isDrop } = keyChange(COLLECTION, { keys: KEYS, nodes: NODES, random: this.#random });
      const ended = isDrop
        ? Array.from({ length: POINTS }, (_, id) => this.#begin(nameOf(id, key), { kind: 'write', value: undefined }))
        : [];
      this.#at(this.#random.integer(NODES.length))
        ?.onCatalog(operation)
        .then(() => {
          for (const end of ended) end();
        })
        // Refused, or nobody knows what became of it.
        .catch(() => undefined);
      await pause(this.#clock, 100 + this.#random.integer(400));
    }
  }

  /** Shards become twice as many, again and again, and some of that is given up. */
  async #reshard(): Promise<void> {
    for (let round = 0; !this.#isCalm; round++) {
      await pause(this.#clock, 100 + this.#random.integer(300));
      const node = this.#random.integer(NODES.length);
      const definition = this.#diskOf(node).definitions.get(COLLECTION) ?? {};
      const operation = reshardingChange(COLLECTION, definition, { nodes: NODES, random: this.#random, id: String(round) });
      // Refused, or nobody knows what became of it.
      if (operation !== undefined)
        this.#at(node)
          ?.onCatalog(operation)
          .catch(() => undefined);
    }
  }

  /** @returns what notes that it has been answered */
  #begin(name: string, action: RegisterAction): () => void {
    const calledMs = this.#clock.nowMs();
    const operations = this.#history.get(name) ?? [];
    this.#history.set(name, operations);
    const place = operations.push({ action, calledMs, answeredMs: Number.POSITIVE_INFINITY }) - 1;
    return () => {
      operations[place] = { action, calledMs, answeredMs: this.#clock.nowMs() };
    };
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
      ignoresKeys: this.#defect === 'keys are not looked at',
      isHasty: this.#defect === 'new shards do not wait for each other',
      takesOldCopies: this.#defect === 'copies may be old',
      peerOf: (name) => {
        const peer = (NODES as readonly string[]).indexOf(name);
        const asked = this.#at(peer);
        return asked && { disk: this.#diskOf(peer), replicator: asked };
      },
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
      const key = this.#isKeyed ? (KEYS[this.#random.integer(KEYS.length)] ?? 'x') : undefined;
      if (this.#random.integer(2) === 0) await this.#read(node, id, key);
      // Those that come together share an entry of the log.
      else for (let count = this.#random.integer(3); count >= 0; count--) void this.#write(node, (id + count) % POINTS, key);
    }
  }

  async #read(node: number, id: number, key: string | undefined): Promise<void> {
    const calledMs = this.#clock.nowMs();
    const disk = this.#diskOf(node);
    if (!disk.definitions.has(COLLECTION)) return;
    try {
      await this.#at(node)?.caughtUp();
    } catch {
      return;
    }
    // A node that was killed meanwhile answers nothing.
    if (this.#at(node) === undefined) return;
    const part = partOf(id, COLLECTION, disk.definitions.get(COLLECTION) ?? {}, key);
    // Another node has it.
    if (part !== undefined && !disk.parts.has(part)) return;
    const found = part === undefined ? undefined : disk.parts.get(part)?.points.get(id)?.value;
    this.#note(nameOf(id, key), { action: { kind: 'read', found }, calledMs, answeredMs: this.#clock.nowMs() });
  }

  async #write(node: number, id: number, key: string | undefined): Promise<void> {
    this.#value += 1;
    const value = this.#value;
    const { action, operation } = randomWrite(COLLECTION, { id, value, random: this.#random });
    const end = this.#begin(nameOf(id, key), action);
    try {
      await this.#at(node)?.onCollection(key === undefined ? operation : { ...operation, shardKey: [key] });
      end();
    } catch {
      // Nobody knows what became of it.
    }
  }

  /** Once all is calm, each node that goes on has what the log says, and every client got an answer that may be true. */
  #check(): void {
    const { parts: said, definition, divisions } = replayed(COLLECTION, this.#store.entries);
    this.#divisions = divisions;
    const going = NODES.flatMap((_, node) => (this.#refused.has(node) ? [] : [node]));
    if (!this.#losesTail && going.length < NODES.length) this.#violations.push(`nodes gave up: ${[...this.#refused]}`);
    for (const node of going) {
      const held = this.#diskOf(node).parts;
      const name = NODES[node] ?? '';
      const own = placedShards(COLLECTION, definition).filter(({ nodes }) => nodes.includes(name));
      const expected = [...said.keys()].filter((part) => part === COLLECTION || own.some((shard) => shard.name === part));
      if (expected.toSorted().join() !== [...held.keys()].toSorted().join()) this.#violations.push(`${name} holds ${[...held.keys()]}`);
      for (const part of expected) {
        const [here, right] = [held.get(part), said.get(part)];
        if (here === undefined || right === undefined || textOf(here) !== textOf(right))
          this.#violations.push(`${part} on ${name} is ${here && textOf(here)}, and by the log ${right && textOf(right)}`);
      }
    }
    if (this.#losesTail) return;
    if (definition.resharding !== undefined) this.#violations.push('shards are not divided to the end');
    const nowMs = this.#clock.nowMs();
    for (const [name, operations] of this.#history) {
      const [id = '', key] = name.split(' ');
      const part = partOf(Number(id), COLLECTION, definition, key);
      const found = part === undefined ? undefined : said.get(part)?.points.get(Number(id))?.value;
      const history = [...operations, { action: { kind: 'read', found } as const, calledMs: nowMs, answeredMs: nowMs + 1 }];
      if (!isLinearizable(history)) this.#violations.push(`point ${name} is not linearizable: ${JSON.stringify(history)}`);
    }
  }

  #note(name: string, operation: RegisterOperation): void {
    const operations = this.#history.get(name) ?? [];
    operations.push(operation);
    this.#history.set(name, operations);
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

/** What a point is called in the history. */
function nameOf(id: number, key: string | undefined): string {
  return key === undefined ? String(id) : `${id} ${key}`;
}

function appliedOn({ documents }: SimulatedDisk): number {
  return (documents.get('replication') as { readonly applied: number }).applied;
}

function textOf({ sequence, points }: SimulatedPart): string {
  return JSON.stringify([sequence, [...points].toSorted(([one], [other]) => one - other)]);
}

export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const simulation = new Simulation(options);
  await simulation.run();
  return simulation.report;
}
