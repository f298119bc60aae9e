// SPDX-License-Identifier: Apache-2.0
import { operation } from '../operation.ts';
import { pointInputs } from './point-inputs.ts';
import { shardKeyOf } from './shard-key.ts';
import { upsertCondition } from './write-conditions.ts';

export const upsertPoints = operation('upsert_points', ({ engine }, { params, body }) =>
  engine.upsert(params.collection_name, pointInputs(body), upsertCondition(body), shardKeyOf(body)),
);
