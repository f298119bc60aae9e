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
  comingShards,
  isAfter,
  type LogMark,
  type PlacedShard,
  PlacedShards,
  placedShards,
  silentLog,
} from '@sextant/vector-collection';
import type { OperationLog } from '@sextant/vector-log';
import type { CarryOut } from '../lane.ts';
import { Replicator } from '../replicator.ts';
import { type SimulatedPeer, simulatedCopies } from './simulated-copies.ts';
import { type Definitions, definitionAfter, isOf, isUnderNothing, readyButFor, shardsAbout } from './simulated-definitions.ts';

const LOG_START: LogMark = { position: 0, index: 0 };

export type SimulatedPoint = { readonly value: number; readonly version: number };

/** A collection in one piece, the definition of one in shards, or a shard. */
export type SimulatedPart = { readonly points: Map<number, SimulatedPoint>; sequence: number; applied: LogMark };

/** What a node's disk holds. */
export class SimulatedDisk {
  readonly documents = new Map<string, unknown>();
  readonly parts = new Map<string, SimulatedPart>();
  readonly definitions: Definitions = new Map();
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
  /** Its shards take operations that name other keys. */
  readonly ignoresKeys: boolean;
  /** New shards take over with the first of their copies. */
  readonly isHasty: boolean;
  /** A node that can be asked now. */
  readonly peerOf: (name: string) => SimulatedPeer | undefined;
  /** Copies are taken as they are, however old. */
  readonly takesOldCopies: boolean;
  readonly failed: (error: Error) => void;
};

const APPLY_MS = 8;

type SimulatedCatalogOptions = Omit<SimulatedNodeOptions, 'log' | 'peerOf' | 'takesOldCopies' | 'failed'>;

/** What the operations of the log do to a disk. */
export class SimulatedCatalog implements CarryOut {
  readonly #options: SimulatedCatalogOptions;
  /** Shards on their way to this node, which its disk does not have yet. */
  readonly incoming = new Map<string, SimulatedPart>();
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #held = new Set<string>();

  constructor(options: SimulatedCatalogOptions) {
    this.#options = options;
  }

  /** What the replicator asks of a catalog. */
  get catalog(): Catalog {
    const { name: node, disk, isTrusting, ignoresKeys } = this.#options;
    const asked = {
      admit: () => undefined,
      nameOf: (name: string) => name,
      partsOf: (name: string, operation: CollectionOperation) => {
        const about = shardsAbout(name, disk.definitions.get(name) ?? {}, ignoresKeys ? undefined : operation);
        return [name, ...about.filter((shard) => disk.parts.has(shard))];
      },
      followed: (name: string) => {
        const part = disk.parts.get(name);
        return part && { applied: part.applied, goOn: () => this.goOn(name) };
      },
      aliases: () => [],
      recoveries: { unfinished: () => [] },
      isEmpty: disk.parts.size === 0,
      shards: new PlacedShards(node, {
        names: () => disk.parts.keys(),
        has: (name) => disk.parts.has(name),
        isLive: (name) => disk.parts.has(name),
        definition: (name) => {
          const config = disk.definitions.get(name);
          return config && { directory: name, config };
        },
      }),
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
    const { disk, name, isHasty } = this.#options;
    assert(isAfter(mark, disk.applied), 'the replicator passes over what is applied');
    disk.applied = mark;
    if (isHasty && operation.kind === 'note_resharded') {
      const known = disk.definitions.get(operation.collection);
      if (known !== undefined) disk.definitions.set(operation.collection, readyButFor(known, operation));
    }
    const definition = definitionAfter(disk.definitions, operation);
    if (definition === undefined || operation.kind === 'change_aliases' || operation.kind === 'change_credentials') return true;
    const { collection } = operation;
    const placed = [collection, ...shardsOn(name, placedShards(collection, definition))];
    const wanted = [...placed, ...shardsOn(name, comingShards(collection, definition))];
    const sequence = disk.parts.get(collection)?.sequence ?? 0;
    disk.definitions.set(collection, definition);
    // Those that take the place of others come with their points.
    const made = operation.kind.startsWith('create_') ? placed.filter((part) => !disk.parts.has(part)) : [];
    for (const part of made) disk.parts.set(part, { points: new Map(), sequence, applied: mark });
    for (const part of disk.parts.keys()) if (!wanted.includes(part)) disk.parts.delete(part);
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
    const part = disk.parts.get(name) ?? this.incoming.get(name);
    if (part === undefined) throw new ServiceError('collection_not_found', { collection: name });
    if (this.#held.has(name)) throw new Error('an earlier operation could not be applied');
    if (random.integer(100) < troubles()) {
      this.#held.add(name);
      throw new ServiceError('disk_full');
    }
    change(part, operation, (id) => isOf(id, name, disk.definitions));
    part.applied = mark;
    const definition = disk.definitions.get(name);
    if (definition !== undefined && isUnderNothing(definition, operation))
      throw new ServiceError('shard_key_not_found', { collection: name });
    return { operation_id: part.sequence, status: 'Completed' };
  }

  /** What could not be applied to a part is about to come again. */
  goOn(name: string): void {
    this.#held.delete(name);
  }

  /** A process that was killed meanwhile does nothing more. */
  async #takeTime(): Promise<void> {
    const { clock, random, isAlive } = this.#options;
    await pause(clock, random.integer(APPLY_MS));
    if (!isAlive()) await new Promise(() => undefined);
  }
}

function shardsOn(node: string, shards: readonly PlacedShard[]): readonly string[] {
  return shards.flatMap(({ name, nodes }) => (nodes.includes(node) ? [name] : []));
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
    receive: simulatedCopies({ ...options, simulated }),
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
