// SPDX-License-Identifier: Apache-2.0
/** Precision, recall and F1 of proposed cells. A cell is wrong where the dirty table differs from the clean one, as text. */

export type Score = {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly proposed: number;
  readonly wrong: number;
  readonly hits: number;
};

export function scoreOf(proposed: ReadonlySet<string>, wrong: ReadonlySet<string>): Score {
  const hits = [...proposed].filter((cell) => wrong.has(cell)).length;
  return scoreOfCounts({ proposed: proposed.size, wrong: wrong.size, hits });
}

export function scoreOfCounts({ proposed, wrong, hits }: Pick<Score, 'proposed' | 'wrong' | 'hits'>): Score {
  const precision = proposed === 0 ? 0 : hits / proposed;
  const recall = wrong === 0 ? 0 : hits / wrong;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision, recall, f1, proposed, wrong, hits };
}
