// SPDX-License-Identifier: Apache-2.0
import { operation } from '../operation.ts';
import { pointSelector } from './point-selector.ts';
import { shardKeyOf } from './shard-key.ts';

export const deletePoints = operation('delete_points', ({ engine }, { params, body }) =>
  engine.deletePoints(params.collection_name, pointSelector(body), shardKeyOf(body)),
);
