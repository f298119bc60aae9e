// SPDX-License-Identifier: Apache-2.0
/** Changing payloads of points that exist. */
import type { BodyOf } from '@sextant/contracts-vector';
import type { PayloadChange } from '@sextant/vector-collection';
import { operation } from '../operation.ts';
import { pointSelector } from './point-selector.ts';
import { shardKeyOf } from './shard-key.ts';

export const setPayload = operation('set_payload', ({ engine }, { params, body }) =>
  engine.setPayload(params.collection_name, payloadChange(body), shardKeyOf(body)),
);

export const overwritePayload = operation('overwrite_payload', ({ engine }, { params, body }) =>
  engine.overwritePayload(params.collection_name, payloadChange(body), shardKeyOf(body)),
);

export const deletePayload = operation('delete_payload', ({ engine }, { params, body }) =>
  engine.deletePayload(params.collection_name, pointSelector(body), body.keys, shardKeyOf(body)),
);

export const clearPayload = operation('clear_payload', ({ engine }, { params, body }) =>
  engine.clearPayload(params.collection_name, pointSelector(body), shardKeyOf(body)),
);

export function payloadChange(body: BodyOf<'set_payload'>): PayloadChange {
  const { payload, key } = body;
  return { selector: pointSelector(body), payload, ...(key === undefined || key === null ? {} : { key }) };
}
