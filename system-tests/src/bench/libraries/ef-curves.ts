// SPDX-License-Identifier: Apache-2.0
/** Recall and rate of several subjects by ef, in turns of a few queries, so that other load on the machine affects all of them alike. */
import type { DataSet } from '../data-sets/data-set.ts';
import { exactAnswers, LIMIT } from '../data-sets/truth.ts';
import { median, type RatePoint, recallOf } from '../statistics.ts';
import type { Subject } from './subject.ts';

/** zvec takes at most 2048. */
const EFS = [10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640, 900, 1280, 1800];
/** Curves are compared at these. */
export const RECALLS = [0.95, 0.99] as const;
/** The quality of a graph is the recall of searches with this ef. */
export const QUALITY_EF = 56;
/** A curve is long enough when it has that, and is past the highest recall that is compared. */
const RECALL_ENOUGH = 0.993;
const QUERIES_PER_TURN = 50;

/** `rate` is searches per second of processor time. */
export type EfPoint = RatePoint & { readonly ef: number };

/** A curve for each of the subjects. */
export async function efCurves(subjects: readonly Subject[], set: DataSet, rounds: number): Promise<EfPoint[][]> {
  const truth = await exactAnswers(set);
  const curves = subjects.map((): EfPoint[] => []);
  const unfinished = () => [...subjects.keys()].filter((index) => !hasEnded(curves[index] ?? []));
  for (const ef of EFS) {
    const indexes = unfinished();
    const points = await searchAll(
      indexes.flatMap((index) => subjects[index] ?? []),
      truth,
      { ef, rounds },
    );
    for (const [position, index] of indexes.entries()) curves[index]?.push({ ef, ...(points[position] ?? { recall: 0, rate: 0 }) });
  }
  return curves;
}

/**
 * Whether a larger ef adds nothing: the curve is past every recall that is compared, or would not reach the next one even if each larger ef gained as much
 * as the better of the last two. Curves flatten, and searches with the largest ef take longest.
 */
export function hasEnded(curve: readonly EfPoint[]): boolean {
  const [first, second, last] = curve.slice(-3);
  if (first === undefined || second === undefined || last === undefined || last.ef < QUALITY_EF) return false;
  if (last.recall >= RECALL_ENOUGH) return true;
  const gain = Math.max(last.recall - second.recall, second.recall - first.recall);
  const wanted = RECALLS.find((recall) => recall > last.recall) ?? RECALL_ENOUGH;
  return last.recall + gain * (EFS.length - curve.length) < wanted;
}

/** Each turn counts with the median of its rounds. The first round, in which code is compiled and memory first touched, counts for recall alone. */
export async function searchAll(
  subjects: readonly Subject[],
  truth: readonly (readonly number[])[],
  { ef, rounds }: { readonly ef: number; readonly rounds: number },
): Promise<RatePoint[]> {
  for (const subject of subjects) await subject.widen(ef);
  const answers = subjects.map((): (readonly number[])[] => []);
  const turns = Math.ceil(truth.length / QUERIES_PER_TURN);
  const seconds = subjects.map(() => Array.from({ length: turns }, (): number[] => []));
  for (let round = 0; round <= rounds; round++) {
    for (let turn = 0; turn < turns; turn++) {
      const from = turn * QUERIES_PER_TURN;
      for (const [index, subject] of subjects.entries()) {
        const searches = await subject.search(from, Math.min(truth.length, from + QUERIES_PER_TURN));
        if (round === 0) answers[index]?.push(...searches.answers);
        else seconds[index]?.[turn]?.push(searches.processorSeconds);
      }
    }
  }
  return subjects.map((_, index) => ({
    recall: recallOf(answers[index] ?? [], truth, LIMIT),
    rate: truth.length / (seconds[index] ?? []).reduce((sum, rounds) => sum + median(rounds), 0),
  }));
}
