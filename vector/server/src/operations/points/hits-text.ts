// SPDX-License-Identifier: Apache-2.0
/**
 * The answers of searches, written as text at once: the same bytes as printing the points would give, without making objects of
 * payloads that nobody looks at.
 */
import type { PointId, ScoredPoint } from '@sextant/contracts-vector';
import { shortestFloat32, stringifyJson } from '@sextant/foundation-std';
import type { Hit } from '@sextant/vector-collection';
import { JsonText } from '../json-text.ts';
import { pacedMap } from '../paced.ts';
import { presentRecord } from './present.ts';

export async function hitsText(hits: readonly Hit[]): Promise<JsonText> {
  return new JsonText(`[${(await pacedMap(hits, hitText)).join(',')}]`);
}

function hitText(hit: Hit): string {
  const { id, payload, payloadText, vector, shard_key: shardKey, order_value: orderValue, version, score } = hit;
  let text = `{"id":${idText(id)}`;
  if (payloadText !== undefined) text += `,"payload":${payloadText}`;
  else if (payload !== undefined) text += `,"payload":${stringifyJson(payload)}`;
  if (vector !== undefined) text += `,"vector":${JSON.stringify(presentRecord(hit).vector)}`;
  if (shardKey !== undefined) text += `,"shard_key":${JSON.stringify(shardKey)}`;
  if (orderValue !== undefined) text += `,"order_value":${stringifyJson(orderValue)}`;
  return `${text},"version":${version},"score":${scoreText(score)}}`;
}

/** A UUID in its canonical form has nothing to escape. */
function idText(id: PointId): string {
  return typeof id === 'string' ? `"${id}"` : String(id);
}

/** JSON knows no infinity, which the product of large vectors can be. */
function scoreText(score: ScoredPoint['score']): string {
  return Number.isFinite(score) ? String(shortestFloat32(score)) : 'null';
}
