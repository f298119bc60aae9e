// SPDX-License-Identifier: Apache-2.0
/**
 * Nodes of a cluster on simulated time that recover one collection again and again, while others write to it, delete it and make it again, ends come late, and
 * nodes are killed and cut off. Everything that happens by chance comes from one seed.
 */
import { assert, pause, type Random, seededRandom } from '@sextant/foundation-std';
import { type CatalogOperation, type CollectionOperation, silentLog } from '@sextant/vector-collection';
import { MemoryLog, MemoryLogStore, type OperationLog } from '@sextant/vector-log';
import { Replicator } from '../replicator.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { RecoveryCatalog, RecoveryDisk, replayedRecoveries } from './simulated-recoveries.ts';

/** What is broken on purpose, to see that a run finds it. */
export type RecoveryDefect =
  /** Nodes take whatever recovery an operation names for the one that runs. */
  | 'ids are not looked at'
  /** Which recoveries run is gone with the process. */
  | 'recoveries are not on the disk';

export type RecoveryReport = {
  /** What went wrong; nothing should. */
  readonly violations: readonly string[];
  /** Recoveries that ended well, and writes that were refused. */
  readonly whole: number;
  readonly refused: number;
};

const NODES = ['a', 'b', 'c'] as const;
const COLLECTION = 'films';
const REQUEST = { vectors: { size: 1, distance: 'Dot' } } as const;
const POINTS = 4;
const RUN_MS = 6000;
const CALM_MS = 6000;
const CALL_MS = 6;
const TIMEOUT_MS = 60;
/** Of a hundred calls of the log, those that fail. */
const FAULTS = 6;
/** A node that was killed answers nothing. */
const PATIENCE_MS = 400;

type Node = { readonly disk: RecoveryDisk; replicator: Replicator | undefined; isAlive: boolean; isCut: boolean };

class RecoverySimulation {
  readonly #random: Random;
  readonly #clock = new SimulatedClock();
  readonly #store = new MemoryLogStore(this.#clock);
  readonly #nodes: readonly Node[] = NODES.map(() => ({ disk: new RecoveryDisk(), replicator: undefined, isAlive: false, isCut: false }));
  readonly #defect: RecoveryDefect | undefined;
  readonly #violations: string[] = [];
  /** What recoveries were told that ended well: all of their points. */
  readonly #told = new Map<string, ReadonlyMap<number, number>>();
  #begun = 0;
  #value = 0;
  #isCalm = false;

  constructor(seed: number, defect: RecoveryDefect | undefined) {
    this.#random = seededRandom(seed);
    this.#defect = defect;
  }

  async run(): Promise<RecoveryReport> {
    for (const node of NODES.keys()) this.#start(node);
    await this.#clock.runUntil(500);
    for (const act of [() => this.#recover(), () => this.#meddle(), () => this.#harm()]) void this.#again(act);
    await this.#clock.runUntil(RUN_MS);
    this.#isCalm = true;
    for (const [index, node] of this.#nodes.entries()) {
      node.isCut = false;
      if (!node.isAlive) this.#start(index);
    }
    await this.#clock.runUntil(RUN_MS + CALM_MS);
    return this.#check();
  }

  async #again(act: () => Promise<void>): Promise<void> {
    while (!this.#isCalm) {
      await pause(this.#clock, this.#random.integer(150));
      await act();
    }
  }

  /** As a node does it, until something goes wrong. */
  async #recover(): Promise<void> {
    const node = this.#node(this.#random.integer(NODES.length));
    const id = `recovery ${this.#begun++}`;
    const written = new Map<number, number>();
    const end = (isDone: boolean): CatalogOperation => ({ kind: 'end_recovery', collection: COLLECTION, id, isDone });
    try {
      await this.#ask(node, { kind: 'create_collection', collection: COLLECTION, request: REQUEST, recovery: { id } });
      for (let point = 0; point < POINTS; point++) {
        this.#value += 1;
        written.set(point, this.#value);
        await this.#ask(node, { ...upsert(point, this.#value), recovery: id });
      }
      if ((await this.#ask(node, end(true))) === true) this.#told.set(id, written);
    } catch {
      await this.#ask(node, end(false)).catch(() => undefined);
    }
  }

  /** Everything that others do, ends of earlier recoveries included, which somebody says once more. */
  async #meddle(): Promise<void> {
    const node = this.#node(this.#random.integer(NODES.length));
    const id = `recovery ${Math.max(0, this.#begun - 1 - this.#random.integer(3))}`;
    this.#value += 1;
    const operations: readonly (CatalogOperation | CollectionOperation)[] = [
      upsert(this.#random.integer(POINTS), this.#value),
      { kind: 'delete_points', collection: COLLECTION, selector: { points: [this.#random.integer(POINTS)] } },
      { kind: 'end_recovery', collection: COLLECTION, id, isDone: this.#random.integer(2) === 0 },
      { ...upsert(this.#random.integer(POINTS), this.#value), recovery: `recovery ${this.#begun - 2}` },
      { kind: 'delete_collection', collection: COLLECTION },
      { kind: 'create_collection', collection: COLLECTION, request: REQUEST },
    ];
    const operation = operations[this.#random.integer(operations.length)];
    if (operation !== undefined) await this.#ask(node, operation).catch(() => undefined);
  }

  async #harm(): Promise<void> {
    await pause(this.#clock, this.#random.integer(300));
    const index = this.#random.integer(NODES.length);
    const node = this.#node(index);
    if (this.#random.integer(2) === 0) {
      node.isAlive = false;
      if (this.#defect === 'recoveries are not on the disk') node.disk.running.clear();
      await pause(this.#clock, this.#random.integer(200));
      this.#start(index);
    } else {
      node.isCut = true;
      await pause(this.#clock, this.#random.integer(300));
      node.isCut = false;
    }
  }

  /** @throws where it is refused, and where nobody knows what became of it */
  async #ask(node: Node, operation: CatalogOperation | CollectionOperation): Promise<unknown> {
    const { replicator } = node;
    if (!node.isAlive || replicator === undefined) throw new Error('the node is not there');
    const late = pause(this.#clock, PATIENCE_MS).then(() => Promise.reject(new Error('no answer')));
    return Promise.race([isOfCatalog(operation) ? replicator.onCatalog(operation) : replicator.onCollection(operation), late]);
  }

  #start(index: number): void {
    const node = this.#node(index);
    node.isAlive = true;
    let isRunning = true;
    const isAlive = () => isRunning && node.isAlive && node.replicator === replicator;
    const clock = this.#clock.whileAlive(isAlive);
    const { disk } = node;
    const simulated = new RecoveryCatalog({
      disk,
      clock,
      random: this.#random,
      isAlive,
      ignoresIds: this.#defect === 'ids are not looked at',
    });
    const failed = () => {
      isRunning = false;
      this.#violations.push(`the node ${NODES[index]} gave up`);
    };
    const replicator: Replicator = new Replicator({
      log: this.#logOf(node, isAlive),
      catalog: simulated.catalog,
      carryOut: simulated,
      store: {
        get: (key) => disk.documents.get(key),
        put: (key, value) => {
          if (isAlive()) disk.documents.set(key, value);
        },
      },
      node: NODES[index] ?? '',
      address: 'http://node.test',
      clock,
      logger: silentLog,
      observe: () => undefined,
      failed,
    });
    node.replicator = replicator;
    replicator.start().catch(failed);
  }

  /** The log as a node reaches it: calls take time, fail before or after they are done, and end with the process. */
  #logOf(node: Node, isAlive: () => boolean): OperationLog {
    const log = new MemoryLog(this.#store, this.#clock);
    const travel = async () => {
      await pause(this.#clock, this.#random.integer(CALL_MS));
      if (!isAlive()) await new Promise(() => undefined);
      if (node.isCut) await pause(this.#clock, TIMEOUT_MS);
      if (node.isCut || (!this.#isCalm && this.#random.integer(100) < FAULTS)) throw new Error('the log cannot be reached');
    };
    const call = async <Result>(act: () => Promise<Result>): Promise<Result> => {
      await travel();
      const result = await act();
      await travel();
      return result;
    };
    return {
      entryBytesMax: log.entryBytesMax,
      describe: () => call(() => log.describe()),
      append: (entry) => call(() => log.append(entry)),
      read: (from) => call(() => log.read(from)),
      truncate: (bounds) => call(() => log.truncate(bounds)),
      announce: (announcement) => call(() => log.announce(announcement)),
      members: () => call(() => log.members()),
      forget: (name) => call(() => log.forget(name)),
      close: () => log.close(),
    };
  }

  /** Once all is calm, each node has what the log says, and no recovery was told that a part is the whole. */
  #check(): RecoveryReport {
    const said = replayedRecoveries(this.#store.entries);
    for (const [index, { disk, replicator }] of this.#nodes.entries()) {
      const here = `${textOf(disk.parts.get(COLLECTION)?.points)} of ${disk.running.get(COLLECTION)}`;
      const right = `${textOf(said.part?.points)} of ${said.running}`;
      if (here !== right) this.#violations.push(`${NODES[index]} has ${here}, and by the log it is ${right}`);
      if (replicator?.status.applied !== this.#store.last) this.#violations.push(`${NODES[index]} has stopped`);
    }
    for (const [id, points] of this.#told) {
      if (textOf(said.whole.get(id)) !== textOf(points)) this.#violations.push(`${id} was told that it is whole, with ${textOf(points)}`);
    }
    return { violations: this.#violations, whole: said.whole.size, refused: said.refused };
  }

  #node(index: number): Node {
    const node = this.#nodes[index];
    assert(node !== undefined, 'every node has a disk');
    return node;
  }
}

function upsert(id: number, value: number) {
  return { kind: 'upsert', collection: COLLECTION, points: [{ id, vector: [value], payload: {} }] } as const;
}

function isOfCatalog(operation: CatalogOperation | CollectionOperation): operation is CatalogOperation {
  return ['create_collection', 'delete_collection', 'end_recovery'].includes(operation.kind);
}

function textOf(points: ReadonlyMap<number, unknown> | undefined): string {
  return points === undefined ? 'nothing' : JSON.stringify([...points].toSorted(([one], [other]) => one - other));
}

export function simulateRecoveries(seed: number, defect?: RecoveryDefect): Promise<RecoveryReport> {
  return new RecoverySimulation(seed, defect).run();
}
