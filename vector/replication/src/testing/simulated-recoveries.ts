// SPDX-License-Identifier: Apache-2.0
/** A collection that is made from snapshots again and again, on the disk of a simulated node, and as the entries of the log say that it is. */
import { ServiceError, type UpdateResult } from '@sextant/contracts-vector';
import { assert, type Clock, pause, type Random } from '@sextant/foundation-std';
import {
  type Catalog,
  type CatalogOperation,
  type CollectionOperation,
  endRecovery,
  isAfter,
  isCatalogOperation,
  type LogMark,
  PlacedShards,
  refusedByRecovery,
} from '@sextant/vector-collection';
import { decodeBatch } from '../batch.ts';
import type { CarryOut } from '../lane.ts';
import { decodeOperation } from '../operation-codec.ts';
import { change, type SimulatedPart } from './simulated-node.ts';

const LOG_START: LogMark = { position: 0, index: 0 };
const APPLY_MS = 8;

/** What a node's disk holds; it outlives the node's process. */
export class RecoveryDisk {
  readonly documents = new Map<string, unknown>();
  readonly parts = new Map<string, SimulatedPart>();
  /** The recovery of each collection that one makes. */
  readonly running = new Map<string, string>();
  applied: LogMark = LOG_START;
}

export type RecoveryCatalogOptions = {
  readonly disk: RecoveryDisk;
  readonly clock: Clock;
  readonly random: Random;
  readonly isAlive: () => boolean;
  /** Takes whatever recovery an operation names for the one that runs. */
  readonly ignoresIds: boolean;
};

/** What the operations of the log do to a disk: as the replicator asks it, and by the rules of real recoveries. */
export class RecoveryCatalog implements CarryOut {
  readonly #options: RecoveryCatalogOptions;
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(options: RecoveryCatalogOptions) {
    this.#options = options;
  }

  get catalog(): Catalog {
    const { disk } = this.#options;
    const asked = {
      admit: () => undefined,
      nameOf: (name: string) => name,
      partsOf: (name: string) => [name],
      followed: (name: string) => {
        const part = disk.parts.get(name);
        return part && { applied: part.applied, goOn: () => undefined };
      },
      aliases: () => [],
      recoveries: { unfinished: () => [] },
      isEmpty: disk.parts.size === 0,
      shards: new PlacedShards(undefined, { names: () => [], has: () => false, isLive: () => false, definition: () => undefined }),
      hasFailed: false,
      get newestMark() {
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
    const { disk, ignoresIds } = this.#options;
    assert(isAfter(mark, disk.applied), 'the replicator passes over what is applied');
    const remove = async (name: string) => {
      disk.running.delete(name);
      disk.applied = mark;
      return disk.parts.delete(name);
    };
    switch (operation.kind) {
      case 'create_collection': {
        const { collection, recovery } = operation;
        if (disk.parts.has(collection)) throw new ServiceError('collection_exists', { collection });
        disk.parts.set(collection, { points: new Map(), sequence: 0, applied: mark });
        if (recovery !== undefined) disk.running.set(collection, recovery.id);
        disk.applied = mark;
        return true;
      }
      case 'delete_collection':
        return disk.parts.has(operation.collection) && remove(operation.collection);
      case 'end_recovery': {
        const finish = async (collection: string) => {
          disk.running.delete(collection);
          disk.applied = mark;
        };
        const unfinished = () => [...disk.running].map(([collection, id]) => ({ collection, id: ignoresIds ? operation.id : id }));
        return endRecovery({ recoveries: { unfinished, finish }, delete: remove }, operation, mark);
      }
      default:
        throw new Error(`a simulation of recoveries has no ${operation.kind}`);
    }
  };

  /** One after the other. */
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
    await this.#takeTime();
    const { disk, ignoresIds } = this.#options;
    const { collection } = operation;
    const part = disk.parts.get(collection);
    if (part === undefined) throw new ServiceError('collection_not_found', { collection });
    const refusal = refusedByRecovery(operation, ignoresIds ? operation.recovery : disk.running.get(collection));
    if (refusal !== undefined) throw new ServiceError(refusal, { collection });
    change(part, operation, () => true);
    part.applied = mark;
    return { operation_id: part.sequence, status: 'Completed' };
  }

  /** A process that was killed meanwhile does nothing more. */
  async #takeTime(): Promise<void> {
    const { clock, random, isAlive } = this.#options;
    await pause(clock, random.integer(APPLY_MS));
    if (!isAlive()) await new Promise(() => undefined);
  }
}

/** What the log comes to, in the plainest words. */
export type ReplayedRecoveries = {
  readonly part: SimulatedPart | undefined;
  readonly running: string | undefined;
  /** What each recovery that ended well had made by then. */
  readonly whole: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Writes that were refused. */
  readonly refused: number;
};

export function replayedRecoveries(entries: readonly { readonly entry: Uint8Array }[]): ReplayedRecoveries {
  let part: SimulatedPart | undefined;
  let running: string | undefined;
  let refused = 0;
  const whole = new Map<string, ReadonlyMap<number, number>>();
  for (const operation of entries.flatMap(({ entry }) => decodeBatch(entry).operations.map(decodeOperation))) {
    if (!isCatalogOperation(operation)) {
      if (part === undefined || operation.recovery !== running) refused += 1;
      else change(part, operation, () => true);
    } else if (operation.kind === 'create_collection' && part === undefined) {
      part = { points: new Map(), sequence: 0, applied: LOG_START };
      running = operation.recovery?.id;
    } else if (operation.kind === 'delete_collection') {
      part = running = undefined;
    } else if (operation.kind === 'end_recovery' && running === operation.id) {
      if (operation.isDone) whole.set(operation.id, new Map([...(part?.points ?? [])].map(([id, { value }]) => [id, value])));
      else part = undefined;
      running = undefined;
    }
  }
  return { part, running, whole, refused };
}
