// SPDX-License-Identifier: Apache-2.0
/**
 * Every change of an engine as a value, so that it can be written down, sent and applied elsewhere. What an operation does depends on the state that it
 * finds and on nothing else: no clock, no chance, no other thread. Applied in the same order, operations leave the same points, of the same versions.
 */
import type {
  AliasAction,
  CreateCollection,
  FieldSchema,
  Filter,
  PointId,
  PointInput,
  PointSelector,
  PointVectors,
  ShardKey,
  ShardKeySelector,
  UpdateCollection,
  UpdateResult,
  UpsertCondition,
  VectorNameConfig,
} from '@sextant/contracts-vector';
import type { SystemChange } from '@sextant/vector-storage';
import type { PayloadChange } from './requests.ts';
import type { Transfer } from './shards.ts';

/** Changes which collections there are, and what they are called. */
export type CatalogOperation =
  | { readonly kind: 'create_collection'; readonly collection: string; readonly request: CreateCollection; readonly recovery?: Recovery }
  | {
      readonly kind: 'create_sharded_collection';
      readonly collection: string;
      readonly request: CreateCollection;
      readonly recovery?: Recovery;
      /** For each shard its nodes; none where keys divide the points, since shards come with keys. */
      readonly placement: readonly (readonly string[])[];
    }
  | PlacementOperation
  /** Everything is written, or the collection is given up. */
  | { readonly kind: 'end_recovery'; readonly collection: string; readonly id: string; readonly isDone: boolean }
  | { readonly kind: 'delete_collection'; readonly collection: string }
  | { readonly kind: 'change_aliases'; readonly actions: readonly AliasAction[] }
  | CredentialsOperation;

/** A collection is made from a snapshot, write by write: until that has ended, it is not whole. */
export type Recovery = {
  readonly id: string;
  /** The node that writes it; absent where there is one alone. */
  readonly node?: string;
};

/** Changes the documents of authentication, if nobody else has since they were read. */
export type CredentialsOperation = {
  readonly kind: 'change_credentials';
  readonly changes: readonly SystemChange[];
  /** How many such operations there had been. */
  readonly revision: number;
};

/** Changes which shards a collection has, and which nodes hold them. */
export type PlacementOperation = { readonly collection: string } & (
  | { readonly kind: 'begin_transfer'; readonly transfer: Transfer }
  /** The copy is complete and follows the log, or is given up. */
  | { readonly kind: 'end_transfer'; readonly id: string; readonly isDone: boolean }
  | { readonly kind: 'drop_replica'; readonly shard: number; readonly node: string }
  /** With the nodes of each of its shards. */
  | ({ readonly kind: 'create_shard_key'; readonly key: ShardKey; readonly nodes: readonly (readonly string[])[] } & OfRecovery)
  | { readonly kind: 'drop_shard_key'; readonly key: ShardKey }
  /** Divides each shard of the collection, or of a key, in two; with the nodes of each of the new ones. */
  | { readonly kind: 'begin_resharding'; readonly id: string; readonly key?: ShardKey; readonly nodes: readonly (readonly string[])[] }
  /** A copy of a new shard is complete and follows the log. With the last one, the new shards take over. */
  | { readonly kind: 'note_resharded'; readonly id: string; readonly shard: number; readonly node: string }
  /** The new shards are given up. */
  | { readonly kind: 'abort_resharding'; readonly id: string }
);

/** What writes it, where that is a recovery: refused where the collection is not the one that this recovery makes. */
type OfRecovery = { readonly recovery?: string };

/** Changes points, and nothing that the meaning of other operations hangs on. */
export type PointOperation = OfRecovery & {
  readonly collection: string;
  /** Whether the points that it needs were there when it was asked for; a collection in shards takes no other. */
  readonly isChecked?: boolean;
  /** The keys whose points it is about; without one, those of all. Of two of which one stands in for the other, the log has the one that there was. */
  readonly shardKey?: ShardKeySelector;
} & (
    | { readonly kind: 'upsert'; readonly points: readonly PointInput[]; readonly condition?: UpsertCondition }
    | { readonly kind: 'delete_points'; readonly selector: PointSelector }
    | { readonly kind: 'update_vectors'; readonly points: readonly PointVectors[]; readonly filter?: Filter }
    | { readonly kind: 'delete_vectors'; readonly selector: PointSelector; readonly names: readonly string[] }
    | { readonly kind: 'set_payload'; readonly change: PayloadChange }
    | { readonly kind: 'overwrite_payload'; readonly change: PayloadChange }
    | { readonly kind: 'delete_payload'; readonly selector: PointSelector; readonly keys: readonly string[] }
    | { readonly kind: 'clear_payload'; readonly selector: PointSelector }
    /** Compaction gives points other rows, which takes a number; the rows are known only where the token comes from. */
    | { readonly kind: 'move_points'; readonly token: string }
  );

/** Changes what a collection is. */
export type SchemaOperation = OfRecovery & { readonly collection: string } & (
    | { readonly kind: 'update_collection'; readonly update: UpdateCollection }
    | { readonly kind: 'create_vector'; readonly name: string; readonly vector: VectorNameConfig }
    | { readonly kind: 'delete_vector'; readonly name: string }
    | { readonly kind: 'create_field_index'; readonly field: string; readonly schema: FieldSchema }
    | { readonly kind: 'delete_field_index'; readonly field: string }
  );

export type CollectionOperation = PointOperation | SchemaOperation;
export type WriteOperation = CatalogOperation | CollectionOperation;

/** Who carries operations out: at once, or by way of a log. */
export type OperationRunner = {
  /** False where there was nothing to delete. */
  readonly onCatalog: (operation: CatalogOperation) => Promise<boolean>;
  readonly onCollection: (operation: CollectionOperation) => Promise<UpdateResult>;
};

/**
 * Where an operation stands in the log that it came from: the entry's position, and its own place within the entry. It is stored in the transaction of
 * the operation, so that a log that is read again applies nothing twice.
 */
export type LogMark = {
  readonly position: number;
  readonly index: number;
  /** The id of the entry's batch: a log that was restored from a backup gives positions again. */
  readonly batch?: string;
};

/** Nothing is applied yet. */
export const LOG_START: LogMark = { position: 0, index: 0 };

export function isAfter(mark: LogMark, other: LogMark): boolean {
  return mark.position === other.position ? mark.index > other.index : mark.position > other.position;
}

/** Where each kind of operation runs; the table knows them all. */
const KINDS: { readonly [Kind in WriteOperation['kind']]: 'catalog' | 'points' | 'schema' } = {
  create_collection: 'catalog',
  create_sharded_collection: 'catalog',
  begin_transfer: 'catalog',
  end_transfer: 'catalog',
  drop_replica: 'catalog',
  create_shard_key: 'catalog',
  drop_shard_key: 'catalog',
  begin_resharding: 'catalog',
  note_resharded: 'catalog',
  abort_resharding: 'catalog',
  end_recovery: 'catalog',
  delete_collection: 'catalog',
  change_aliases: 'catalog',
  change_credentials: 'catalog',
  upsert: 'points',
  delete_points: 'points',
  update_vectors: 'points',
  delete_vectors: 'points',
  set_payload: 'points',
  overwrite_payload: 'points',
  delete_payload: 'points',
  clear_payload: 'points',
  move_points: 'points',
  update_collection: 'schema',
  create_vector: 'schema',
  delete_vector: 'schema',
  create_field_index: 'schema',
  delete_field_index: 'schema',
};

export function isCatalogOperation(operation: WriteOperation): operation is CatalogOperation {
  return KINDS[operation.kind] === 'catalog';
}

/** Whether other operations on the same collection may be prepared before this one has been carried out. */
export function isPointOperation(operation: CollectionOperation): operation is PointOperation {
  return KINDS[operation.kind] === 'points';
}

/** The points that an operation is about; undefined where a filter says which. */
export function pointsNamed(operation: PointOperation): readonly PointId[] | undefined {
  switch (operation.kind) {
    case 'upsert':
    case 'update_vectors':
      return operation.points.map(({ id }) => id);
    case 'set_payload':
    case 'overwrite_payload':
      return 'points' in operation.change.selector ? operation.change.selector.points : undefined;
    case 'delete_points':
    case 'delete_vectors':
    case 'delete_payload':
    case 'clear_payload':
      return 'points' in operation.selector ? operation.selector.points : undefined;
    case 'move_points':
      return [];
  }
}

/** Points that have to be there for an operation to be done. */
export function pointsNeeded(operation: PointOperation): readonly PointId[] {
  if (operation.kind === 'upsert' || operation.kind === 'delete_points') return [];
  return pointsNamed(operation) ?? [];
}

/** An operation on a collection in shards whose points nobody has looked for. Every part of the collection refuses it. */
export class PointsUncheckedError extends Error {
  override readonly name = 'PointsUncheckedError';
}

/** Whether this release can carry it out; others may have written the log, too. */
export function isKnownOperation({ kind }: { readonly kind: string }): boolean {
  return Object.hasOwn(KINDS, kind);
}
