/** Precision, recall and F1 of proposed cells. A cell is wrong where the dirty table differs from the clean one, as text. */

export type Score = { readonly proposed: number; readonly wrong: number; readonly hits: number; readonly precision: number; readonly recall: number; readonly f1: number };

export function scoreOf(proposed: ReadonlySet<string>, wrong: ReadonlySet<string>): Score {
  const hits = [...proposed].filter((cell) => wrong.has(cell)).length;
  const precision = proposed.size === 0 ? 0 : hits / proposed.size;
  const recall = wrong.size === 0 ? 0 : hits / wrong.size;
  return { proposed: proposed.size, wrong: wrong.size, hits, precision, recall, f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}
