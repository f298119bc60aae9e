// SPDX-License-Identifier: Apache-2.0
/**
 * Several writes in one request, in order. Every step is read before the first runs, so a batch that is refused has written nothing;
 * a step that fails while running leaves the earlier ones in place, as the published API has it.
 */
import type { BodyOf, UpdateResult } from '@sextant/contracts-vector';
import type { EngineWrites } from '@sextant/vector-collection';
import { operation } from '../operation.ts';
import { payloadChange } from './payload.ts';
import { pointInputs, vectorsOfPoints } from './point-inputs.ts';
import { pointSelector } from './point-selector.ts';
import { shardKeyOf } from './shard-key.ts';
import { vectorNames } from './vectors.ts';
import { updateFilter, upsertCondition } from './write-conditions.ts';

type Step = BodyOf<'batch_update'>['operations'][number];
type Write = (engine: EngineWrites, collection: string) => Promise<UpdateResult>;

export const batchUpdate = operation('batch_update', async ({ engine }, { params, body }) => {
  const results: UpdateResult[] = [];
  // No step would ask whether the collection is there.
  if (body.operations.length === 0) await engine.collectionInfo(params.collection_name);
  for (const write of body.operations.map(writeOf)) results.push(await write(engine, params.collection_name));
  return results;
});

function writeOf(step: Step): Write {
  if ('upsert' in step) {
    const points = pointInputs(step.upsert);
    const condition = upsertCondition(step.upsert);
    return (engine, collection) => engine.upsert(collection, points, condition, shardKeyOf(step.upsert));
  }
  if ('delete' in step) {
    const selector = pointSelector(step.delete);
    return (engine, collection) => engine.deletePoints(collection, selector, shardKeyOf(step.delete));
  }
  if ('set_payload' in step) {
    const change = payloadChange(step.set_payload);
    return (engine, collection) => engine.setPayload(collection, change, shardKeyOf(step.set_payload));
  }
  if ('overwrite_payload' in step) {
    const change = payloadChange(step.overwrite_payload);
    return (engine, collection) => engine.overwritePayload(collection, change, shardKeyOf(step.overwrite_payload));
  }
  if ('delete_payload' in step) {
    const { keys } = step.delete_payload;
    const selector = pointSelector(step.delete_payload);
    return (engine, collection) => engine.deletePayload(collection, selector, keys, shardKeyOf(step.delete_payload));
  }
  if ('clear_payload' in step) {
    const selector = pointSelector(step.clear_payload);
    return (engine, collection) => engine.clearPayload(collection, selector, shardKeyOf(step.clear_payload));
  }
  if ('update_vectors' in step) {
    const points = vectorsOfPoints(step.update_vectors);
    const filter = updateFilter(step.update_vectors);
    return (engine, collection) => engine.updateVectors(collection, points, filter, shardKeyOf(step.update_vectors));
  }
  const selector = pointSelector(step.delete_vectors);
  const names = vectorNames(step.delete_vectors);
  return (engine, collection) => engine.deleteVectors(collection, selector, names, shardKeyOf(step.delete_vectors));
}
