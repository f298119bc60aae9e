// SPDX-License-Identifier: Apache-2.0
/** Merges the answers of the shards of a space. */
import type { Neighbours } from '../vector-space.ts';

/** The answer of a shard, and the number of its first row in the space. */
export type ShardAnswer = { readonly firstRow: number; readonly found: Neighbours };

/** @param answers by shard; the nearest `k` of all, nearest first, the lower row first among equals */
export function mergeNeighbours(answers: readonly ShardAnswer[], k: number): Neighbours {
  const held = answers.reduce((sum, { found }) => sum + found.rows.length, 0);
  const count = Math.min(k, held);
  const rows = new Uint32Array(count);
  const distances = new Float32Array(count);
  const next = new Uint32Array(answers.length);
  for (let i = 0; i < count; i++) {
    const shard = nearestShard(answers, next);
    const { firstRow, found } = answers[shard] ?? nothing;
    const at = next[shard] ?? 0;
    rows[i] = firstRow + (found.rows[at] ?? 0);
    distances[i] = found.distances[at] ?? 0;
    next[shard] = at + 1;
  }
  return { rows, distances };
}

const nothing: ShardAnswer = { firstRow: 0, found: { rows: new Uint32Array(), distances: new Float32Array() } };

/** Among equally near heads the first shard's, whose rows are lower. */
function nearestShard(answers: readonly ShardAnswer[], next: Uint32Array): number {
  let nearest = -1;
  let least = 0;
  for (let shard = 0; shard < answers.length; shard++) {
    const distance = answers[shard]?.found.distances[next[shard] ?? 0];
    if (distance === undefined || (nearest >= 0 && distance >= least)) continue;
    nearest = shard;
    least = distance;
  }
  return nearest;
}
