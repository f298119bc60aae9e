// SPDX-License-Identifier: Apache-2.0
/** One ranking from several. */

/** What a ranking has of a point; `key` tells points apart. */
export type Ranked<Item> = { readonly key: string; readonly score: number; readonly item: Item };

/**
 * Reciprocal rank fusion (Cormack, Clarke, Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
 * SIGIR 2009), with the weights of the published query API: the sum of 1 / ((position + 1) / weight + k - 1), positions from 0.
 */
export function reciprocalRankFusion<Item>(
  rankings: readonly (readonly Ranked<Item>[])[],
  { k, weights }: { readonly k: number; readonly weights?: readonly number[] },
): Ranked<Item>[] {
  return summed(rankings, (ranking, list) => {
    const weight = weights?.[list] ?? 1;
    return ranking.map((_, position) => (weight === 0 ? 0 : 1 / ((position + 1) / weight + k - 1)));
  });
}

/**
 * Distribution-based score fusion: the scores of each ranking are spread over 0 to 1 between the mean less and plus three standard
 * deviations of the sample, then summed. Scores that do not differ, a single one among them, are 0.5.
 * @param descending whether larger scores are better, by ranking; where smaller ones are, 1 is the smallest
 */
export function distributionBasedFusion<Item>(
  rankings: readonly (readonly Ranked<Item>[])[],
  descending: readonly boolean[],
): Ranked<Item>[] {
  return summed(rankings, (ranking, list) => {
    const spread = spreadOf(ranking.map(({ score }) => score));
    return descending[list] === false ? spread.map((score) => 1 - score) : spread;
  });
}

function spreadOf(scores: readonly number[]): readonly number[] {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  const deviation = scores.length > 1 ? Math.sqrt(squares / (scores.length - 1)) : 0;
  return scores.map((score) => (deviation > 0 ? (score - (mean - 3 * deviation)) / (6 * deviation) : 0.5));
}

/** Each point once, with the sum of what its rankings give it, the best first; among equals the one that was met first. */
function summed<Item>(
  rankings: readonly (readonly Ranked<Item>[])[],
  scoresOf: (ranking: readonly Ranked<Item>[], list: number) => readonly number[],
): Ranked<Item>[] {
  const points = new Map<string, { item: Item; score: number }>();
  for (const [list, ranking] of rankings.entries()) {
    const scores = scoresOf(ranking, list);
    for (const [position, { key, item }] of ranking.entries()) {
      const known = points.get(key);
      const score = scores[position] ?? 0;
      if (known === undefined) points.set(key, { item, score });
      else known.score += score;
    }
  }
  return Array.from(points, ([key, { item, score }]) => ({ key, item, score })).toSorted((a, b) => b.score - a.score);
}
