// SPDX-License-Identifier: Apache-2.0
/** Carries operations out. Where it comes from a log, an operation brings its mark, which is stored with what it does. */
import { ServiceError, type UpdateResult } from '@sextant/contracts-vector';
import { fieldNameOf, normaliseFieldSchema } from '../field-index/schema.ts';
import { compileFilter } from '../filter/compile.ts';
import { admitBesideRecovery } from '../model/recovery-writes.ts';
import { collectionOfShard } from '../model/shards.ts';
import {
  type CatalogOperation,
  type CollectionOperation,
  isPointOperation,
  type LogMark,
  type OperationRunner,
  type PointOperation,
  PointsUncheckedError,
  pointsNeeded,
  type SchemaOperation,
} from '../model/write-operation.ts';
import type { Catalog } from './catalog.ts';
import type { CollectionWriter } from './collection-writer.ts';
import { vectorBytesOf } from './memory-budget.ts';
import {
  clearPayloadJob,
  deleteJob,
  deletePayloadJob,
  deleteVectorsJob,
  moveJob,
  overwritePayloadJob,
  type PointJob,
  setPayloadJob,
  updateVectorsJob,
  upsertJob,
} from './point-jobs.ts';
import { endRecovery, type Recoveries } from './recoveries.ts';
import { refuseGoneKeys, requireKey } from './sharded-collections.ts';

/** Runs every operation at once: a service without a log. */
export function localRunner(catalog: Catalog): OperationRunner {
  return {
    onCatalog: (operation) => runOnCatalog(catalog, operation),
    onCollection: (operation) => runInMemory(catalog, operation),
  };
}

/** Where memory is short for what is written, collections that nobody uses make room: what was refused has changed nothing, and runs again. */
function runInMemory(catalog: Catalog, operation: CollectionOperation): Promise<UpdateResult> {
  // It stays open meanwhile, and is none of those that make room.
  return catalog.use(operation.collection, async (writer) => {
    for (;;) {
      try {
        return await runOnCollection({ writer: () => writer, recoveries: catalog.recoveries }, operation);
      } catch (error) {
        if (!isShortOfMemory(error) || !GROWING.has(operation.kind) || !(await catalog.releaseOne())) throw error;
        if ('points' in operation) await catalog.makeRoom(vectorBytesOf(operation.points));
      }
    }
  });
}

/** Operations that are refused before they change anything where there is no memory for them. */
const GROWING: ReadonlySet<CollectionOperation['kind']> = new Set(['upsert', 'update_vectors', 'create_vector'] as const);

function isShortOfMemory(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'memory_exhausted';
}

export async function runOnCatalog(catalog: Catalog, operation: CatalogOperation, mark?: LogMark): Promise<boolean> {
  switch (operation.kind) {
    case 'create_collection':
      return catalog.create(operation.collection, operation.request, { mark, recovery: operation.recovery });
    case 'create_sharded_collection':
      return catalog.createSharded(operation.collection, operation.request, { ...operation, mark });
    case 'begin_transfer':
    case 'end_transfer':
    case 'drop_replica':
    case 'create_shard_key':
    case 'drop_shard_key':
    case 'begin_resharding':
    case 'note_resharded':
    case 'abort_resharding':
      return catalog.changePlacement(operation, mark);
    case 'end_recovery':
      return endRecovery(catalog, operation, mark);
    case 'delete_collection':
      return catalog.delete(operation.collection, mark);
    case 'change_aliases':
      return catalog.changeAliases(operation.actions, mark);
    case 'change_credentials':
      return catalog.credentials.change(operation, mark);
  }
}

/** What an operation on a collection is carried out on. */
export type OperationTarget = Pick<Catalog, 'writer'> & {
  /** Undefined where what they refuse is left out already. */
  readonly recoveries: Pick<Recoveries, 'of'> | undefined;
};

/** An operation on points is prepared, and has its place among the writes of its collection, when this returns. */
export async function runOnCollection(catalog: OperationTarget, operation: CollectionOperation, mark?: LogMark): Promise<UpdateResult> {
  const writer = catalog.writer(operation.collection);
  const { recoveries } = catalog;
  const whole = collectionOfShard(writer.name);
  if (recoveries !== undefined) admitBesideRecovery(whole, operation, recoveries.of(whole));
  if (!isPointOperation(operation)) return runSchemaOperation(writer, operation, mark);
  if (writer.isPart && operation.isChecked !== true && pointsNeeded(operation).length > 0) {
    throw new PointsUncheckedError(`the points of an operation on a part of ${operation.collection} were not looked for`);
  }
  requireKey(writer, operation);
  const vectors = operation.kind === 'upsert' || operation.kind === 'update_vectors' ? operation.points.length : 0;
  const result = await writer.points(pointJobOf(writer, operation), { vectors, mark });
  refuseGoneKeys(writer, operation);
  return result;
}

/** Refuses what any state of its points would refuse. */
export function checkPointOperation(catalog: Catalog, operation: PointOperation): void {
  const writer = catalog.writer(operation.collection);
  requireKey(writer, operation);
  pointJobOf(writer, operation);
  const filter = 'filter' in operation ? operation.filter : undefined;
  if (filter !== undefined) compileFilter(filter, (field) => writer.fieldIndexes.byField.get(field)?.schema);
}

function pointJobOf(writer: CollectionWriter, operation: PointOperation): PointJob {
  const { schemas } = writer;
  switch (operation.kind) {
    case 'upsert':
      return upsertJob(schemas, operation.points, operation.condition);
    case 'delete_points':
      return deleteJob(operation.selector);
    case 'update_vectors':
      return updateVectorsJob(schemas, operation.points, operation.filter);
    case 'delete_vectors':
      return deleteVectorsJob(schemas, operation.selector, operation.names);
    case 'set_payload':
      return setPayloadJob(operation.change);
    case 'overwrite_payload':
      return overwritePayloadJob(operation.change);
    case 'delete_payload':
      return deletePayloadJob(operation.selector, operation.keys);
    case 'clear_payload':
      return clearPayloadJob(operation.selector);
    case 'move_points':
      return moveJob(writer.moves.rowsOf(operation.token));
  }
}

async function runSchemaOperation(writer: CollectionWriter, operation: SchemaOperation, mark: LogMark | undefined): Promise<UpdateResult> {
  switch (operation.kind) {
    case 'update_collection':
      await writer.updateConfig(operation.update, mark);
      return { operation_id: writer.sequence, status: 'Completed' };
    case 'create_vector':
      return writer.createVector(operation.name, operation.vector, mark);
    case 'delete_vector':
      return writer.deleteVector(operation.name, mark);
    case 'create_field_index':
      return writer.fieldIndexes.create(fieldNameOf(operation.field), normaliseFieldSchema(operation.schema), mark);
    case 'delete_field_index':
      return writer.fieldIndexes.delete(fieldNameOf(operation.field), mark);
  }
}
