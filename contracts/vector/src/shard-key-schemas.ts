// SPDX-License-Identifier: Apache-2.0
/** Keys that divide the points of a collection among shards, where its callers say which points belong together. */
import { type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';

const KEYS_MAX = 1_000;

export const shardKeySchema = Type.Union(
  [Type.String({ minLength: 1, maxLength: 255 }), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })],
  { title: 'ShardKey', 'x-expected': 'a shard key (a string of 1 to 255 characters, or an integer from 0 to 9007199254740991)' },
);
/** `1` and `"1"` are two keys. */
export type ShardKey = Static<typeof shardKeySchema>;

/** One key, several, or one that another stands in for as long as it does not exist. */
export const shardKeySelectorSchema = Type.Union(
  [
    shardKeySchema,
    Type.Array(shardKeySchema, { minItems: 1, maxItems: KEYS_MAX }),
    strict({ target: shardKeySchema, fallback: shardKeySchema }, { title: 'ShardKeyWithFallback' }),
  ],
  { title: 'ShardKeySelector' },
);
export type ShardKeySelector = Static<typeof shardKeySelectorSchema>;
