// SPDX-License-Identifier: Apache-2.0
/** Changing vectors of points that exist. */
import type { BodyOf } from '@sextant/contracts-vector';
import { operation } from '../operation.ts';
import { vectorsOfPoints } from './point-inputs.ts';
import { pointSelector } from './point-selector.ts';
import { shardKeyOf } from './shard-key.ts';
import { updateFilter } from './write-conditions.ts';

export const updateVectors = operation('update_vectors', ({ engine }, { params, body }) =>
  engine.updateVectors(params.collection_name, vectorsOfPoints(body), updateFilter(body), shardKeyOf(body)),
);

export const deleteVectors = operation('delete_vectors', ({ engine }, { params, body }) =>
  engine.deleteVectors(params.collection_name, pointSelector(body), vectorNames(body), shardKeyOf(body)),
);

export function vectorNames({ vector, vectors }: BodyOf<'delete_vectors'>): readonly string[] {
  return vector ?? vectors ?? [];
}
