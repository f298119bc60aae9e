// SPDX-License-Identifier: Apache-2.0
/**
 * A node of a simulation: the replicator as it is, over a disk and a catalog in memory that know what the order of operations can get wrong (values, numbers,
 * marks, troubles of one's own) and nothing of vectors. The disk outlives the node's process.
 */
import { ServiceError, type UpdateResult } from '@sextant/contracts-vector';
import { assert, type Clock, pause, type Random } from '@sextant/foundation-std';
import {
  type Catalog,
  type CatalogOperation,
  type CollectionOperation,
  isAfter,
  type LogMark,
  shardName,
  silentLog,
} from '@sextant/vector-collection';
import type { OperationLog } from '@sextant/vector-log';
import type { CarryOut } from '../lane.ts';
import { Replicator } from '../replicator.ts';

const LOG_START: LogMark = { position: 0, index: 0 };

/** For each shard the nodes that hold it. */
export type Placement = readonly (readonly string[])[];

export type SimulatedPoint = { readonly value: number; readonly version: number };

/** A collection in one piece, the definition of one in shards, or a shard. */
export type SimulatedPart = { readonly points: Map<number, SimulatedPoint>; sequence: number; applied: LogMark };

/** What a node's disk holds. */
export class SimulatedDisk {
  readonly documents = new Map<string, unknown>();
  readonly parts = new Map<string, SimulatedPart>();
  readonly placements = new Map<string, Placement>();
  applied: LogMark = LOG_START;

  /** What each part knows of the log is gone, and so is what the node wrote down last: a fault that must not stay without consequences. */
  forgetMarks(): void {
    const standing = this.documents.get('replication') as object | undefined;
    if (standing === undefined) return;
    const { log } = standing as { readonly log: string };
    this.documents.set('replication', { log, applied: 0 });
    for (const part of this.parts.values()) part.applied = LOG_START;
  }
}

/** Which of a collection's shards a point falls to. */
export function shardOf(id: number, { length }: Placement): number {
  return id % length;
}

export type SimulatedNodeOptions = {
  readonly name: string;
  readonly disk: SimulatedDisk;
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly random: Random;
  /** Of a hundred operations, those for which there is no room at first. */
  readonly troubles: () => number;
  readonly isAlive: () => boolean;
  /** It does not tell what its disk knows of the log. */
  readonly isTrusting: boolean;
  readonly failed: (error: Error) => void;
};

const APPLY_MS = 8;

/** What the operations of the log do to a disk. */
export class SimulatedCatalog implements CarryOut {
  readonly #options: Pick<SimulatedNodeOptions, 'name' | 'disk' | 'clock' | 'random' | 'troubles' | 'isAlive' | 'isTrusting'>;
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #held = new Set<string>();

  constructor(options: Pick<SimulatedNodeOptions, 'name' | 'disk' | 'clock' | 'random' | 'troubles' | 'isAlive' | 'isTrusting'>) {
    this.#options = options;
  }

  /** What the replicator asks of a catalog. */
  get catalog(): Catalog {
    const { disk, isTrusting } = this.#options;
    const asked = {
      admit: () => undefined,
      nameOf: (name: string) => name,
      partsOf: (name: string) => [name, ...this.#shardsHere(name)],
      followed: (name: string) => {
        const part = disk.parts.get(name);
        return part && { applied: part.applied, goOn: () => void this.#held.delete(name) };
      },
      isEmpty: disk.parts.size === 0,
      shards: { missing: () => [], completed: () => [] },
      hasFailed: false,
      get newestMark() {
        if (isTrusting) return LOG_START;
        return [...disk.parts.values()].reduce((newest, { applied }) => (isAfter(applied, newest) ? applied : newest), disk.applied);
      },
      get applied() {
        return disk.applied;
      },
    };
    // The rest of a catalog is for other callers than the replicator.
    return asked as unknown as Catalog;
  }

  onCatalog = async (operation: CatalogOperation, mark: LogMark): Promise<boolean> => {
    await this.#takeTime();
    const { disk, name } = this.#options;
    assert(isAfter(mark, disk.applied), 'the replicator passes over what is applied');
    disk.applied = mark;
    if (operation.kind === 'create_collection' || operation.kind === 'create_sharded_collection') {
      const placement = operation.kind === 'create_sharded_collection' ? operation.placement : [];
      const { collection } = operation;
      disk.placements.set(collection, placement);
      const shards = placement.flatMap((nodes, index) => (nodes.includes(name) ? [shardName(collection, index)] : []));
      for (const part of [collection, ...shards]) disk.parts.set(part, { points: new Map(), sequence: 0, applied: mark });
    }
    return true;
  };

  /** One after the other in each part, and none after one that could not be applied, until it goes on. */
  onCollection = (operation: CollectionOperation, mark: LogMark): Promise<UpdateResult> => {
    const name = operation.collection;
    const done = (this.#queues.get(name) ?? Promise.resolve()).then(() => this.#apply(operation, mark));
    this.#queues.set(
      name,
      done.catch(() => undefined),
    );
    return done;
  };

  async #apply(operation: CollectionOperation, mark: LogMark): Promise<UpdateResult> {
    const { disk, random, troubles } = this.#options;
    const name = operation.collection;
    await this.#takeTime();
    const part = disk.parts.get(name);
    if (part === undefined) throw new ServiceError('collection_not_found', { collection: name });
    if (this.#held.has(name)) throw new Error('an earlier operation could not be applied');
    if (random.integer(100) < troubles()) {
      this.#held.add(name);
      throw new ServiceError('disk_full');
    }
    change(part, operation, (id) => isOf(id, name, disk.placements));
    part.applied = mark;
    return { operation_id: part.sequence, status: 'Completed' };
  }

  #shardsHere(collection: string): readonly string[] {
    const { disk } = this.#options;
    const placement = disk.placements.get(collection) ?? [];
    return placement.map((_, index) => shardName(collection, index)).filter((shard) => disk.parts.has(shard));
  }

  /** A process that was killed meanwhile does nothing more. */
  async #takeTime(): Promise<void> {
    const { clock, random, isAlive } = this.#options;
    await pause(clock, random.integer(APPLY_MS));
    if (!isAlive()) await new Promise(() => undefined);
  }
}

function isOf(id: number, part: string, placements: ReadonlyMap<string, Placement>): boolean {
  for (const [collection, placement] of placements) {
    if (part === collection) return placement.length === 0;
    const index = placement.findIndex((_, shard) => part === shardName(collection, shard));
    if (index !== -1) return shardOf(id, placement) === index;
  }
  return false;
}

/** What an operation does to a part, of the points that are its own. */
export function change(part: SimulatedPart, operation: CollectionOperation, isOwn: (id: number) => boolean): void {
  part.sequence += 1;
  if (operation.kind === 'delete_points') {
    const ids = 'points' in operation.selector ? operation.selector.points : [];
    for (const id of ids) part.points.delete(Number(id));
    return;
  }
  assert(operation.kind === 'upsert', 'a simulation upserts and deletes');
  const { condition, points } = operation;
  for (const point of points) {
    const id = Number(point.id);
    if (!isOwn(id) || (condition?.mode === 'insert_only' && part.points.has(id))) continue;
    // The client has made it of one component.
    const [value = 0] = point.vector as readonly number[];
    part.points.set(id, { value, version: part.sequence });
  }
}

export function openSimulatedNode(options: SimulatedNodeOptions): Replicator {
  const { name, disk, log, clock, isAlive, failed } = options;
  const simulated = new SimulatedCatalog(options);
  return new Replicator({
    log,
    catalog: simulated.catalog,
    carryOut: simulated,
    store: {
      get: (key) => disk.documents.get(key),
      put: (key, value) => {
        if (isAlive()) disk.documents.set(key, value);
      },
    },
    node: name,
    address: `http://${name}.test`,
    clock,
    logger: silentLog,
    observe: () => undefined,
    failed,
  });
}
