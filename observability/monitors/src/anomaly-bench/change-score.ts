// SPDX-License-Identifier: Apache-2.0
/** How well found change points agree with those that several people marked (van den Burg and Williams, arXiv 2003.06222): covering, and F1 with a margin. */

export type ChangeScore = { readonly covering: number; readonly f1: number };

const MARGIN = 5;

/** `marked`: of each person the places of the changes, counted from 0; `found` likewise, of a series of so many points. */
export function changeScore(marked: readonly (readonly number[])[], found: readonly number[], points: number): ChangeScore {
  const covering = mean(marked.map((changes) => coveringOf(segments(changes, points), segments(found, points), points)));
  // The beginning counts as a change that everybody finds, so that a series without any has a score.
  const own = withBeginning(found);
  const precision = matched(withBeginning(marked.flat()), own) / own.length;
  const recall = mean(marked.map((changes) => matched(withBeginning(changes), own) / withBeginning(changes).length));
  return { covering, f1: (2 * precision * recall) / (precision + recall) };
}

type Segment = { readonly from: number; readonly to: number };

function segments(changes: readonly number[], points: number): readonly Segment[] {
  const starts = withBeginning(changes);
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? points }));
}

/** Each marked segment by the found one that is most like it (Jaccard), by its length. */
function coveringOf(marked: readonly Segment[], found: readonly Segment[], points: number): number {
  const likeness = (one: Segment, other: Segment) => {
    const common = Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
    return common / (one.to - one.from + other.to - other.from - common);
  };
  return marked.reduce((sum, each) => sum + (each.to - each.from) * Math.max(...found.map((one) => likeness(each, one))), 0) / points;
}

/** Marked changes near a found one, each of which serves one. */
function matched(marked: readonly number[], found: readonly number[]): number {
  const left = new Set(found);
  let count = 0;
  for (const change of marked) {
    const near = [...left].filter((each) => Math.abs(each - change) <= MARGIN);
    if (near.length === 0) continue;
    left.delete(near.reduce((best, each) => (Math.abs(each - change) < Math.abs(best - change) ? each : best)));
    count += 1;
  }
  return count;
}

function withBeginning(changes: readonly number[]): readonly number[] {
  return [...new Set([0, ...changes])].sort((first, second) => first - second);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
