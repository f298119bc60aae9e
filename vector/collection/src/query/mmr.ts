// SPDX-License-Identifier: Apache-2.0
/**
 * Maximal marginal relevance (Carbonell and Goldstein, "The use of MMR, diversity-based reranking", SIGIR 1998): greedily the candidate with the
 * largest (1 - diversity) * similarity to the query - diversity * largest similarity to those chosen before.
 */
import type { Similarity, Vector } from './similarity.ts';

/**
 * @param candidates the nearest first
 * @returns the positions of the chosen candidates, in the order in which they were chosen; the first is the nearest to the query
 */
export function chooseDiverse(
  query: Vector,
  candidates: readonly Vector[],
  { similarity, diversity, limit }: { readonly similarity: Similarity; readonly diversity: number; readonly limit: number },
): readonly number[] {
  const relevance = candidates.map((candidate) => similarity(query, candidate));
  /** Largest similarity to a chosen candidate. */
  const redundancy = candidates.map(() => Number.NEGATIVE_INFINITY);
  const left = new Set(candidates.keys());
  const chosen: number[] = [];
  while (chosen.length < limit && left.size > 0) {
    const worth = (position: number) => {
      const relevant = relevance[position] ?? 0;
      return chosen.length === 0 ? relevant : (1 - diversity) * relevant - diversity * (redundancy[position] ?? 0);
    };
    const best = [...left].reduce((most, position) => (worth(position) > worth(most) ? position : most));
    chosen.push(best);
    left.delete(best);
    for (const position of left) {
      // MaxSim of two multivectors depends on which one asks: the one that is not chosen yet, as in lib/shard/src/query/mmr of qdrant/qdrant.
      redundancy[position] = Math.max(redundancy[position] ?? 0, similarity(candidates[position] ?? [], candidates[best] ?? []));
    }
  }
  return chosen;
}
