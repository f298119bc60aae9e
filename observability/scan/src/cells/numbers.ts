// SPDX-License-Identifier: Apache-2.0
/** Numbers far from all others of their column, by the boxplot for skewed distributions (Hubert and Vandervieren, 2008) and a gap. */
import type { ColumnValues } from './column-values.ts';
import { isNumber } from './patterns.ts';
import type { ValueSuspicion } from './suspicion.ts';

/** Tukey's "far out" is three; what is called wrong here stands apart besides. */
const FENCE = 3;
/** A gap below which a number belongs to the tail: so many widths of the rest. */
const GAP = 1;
const FEW = 30;
const RARE = 0.05;

export function numberFaults({ values, present }: ColumnValues): readonly ValueSuspicion[] {
  const numbers = values
    .filter(({ value }) => isNumber(value))
    .map(({ value, count }) => ({ value, number: Number(value), count }))
    .sort((a, b) => a.number - b.number);
  const total = numbers.reduce((sum, { count }) => sum + count, 0);
  if (total < FEW || total < 0.5 * present || numbers.length < 5) return [];
  const positive = (numbers[0]?.number ?? 0) > 0;
  // Amounts and counts are spread by factors, not by differences.
  const isSkewed = positive && quantile(numbers, total, 0.95) > 10 * quantile(numbers, total, 0.5);
  const scaled = numbers.map((each) => ({ ...each, number: isSkewed ? Math.log(each.number) : each.number }));
  const [q1, q2, q3] = [0.25, 0.5, 0.75].map((share) => quantile(scaled, total, share));
  if (q1 === undefined || q2 === undefined || q3 === undefined) return [];
  const width = q3 - q1;
  if (width === 0) return [];
  const up = Math.max(width, 2 * (q3 - q2));
  const down = Math.max(width, 2 * (q2 - q1));
  const high = outside(scaled, q3 + FENCE * up);
  const low = outside(scaled.map((each) => ({ ...each, number: -each.number })).reverse(), -(q1 - FENCE * down));
  return [...high, ...low].flatMap(({ value, count, apart }) =>
    count > RARE * present
      ? []
      : [
          {
            detector: 'number' as const,
            value,
            score: Math.min(0.9, 0.5 + 0.1 * apart),
            reason: `far from the other numbers of the column (half of them lie between ${text(q1, isSkewed)} and ${text(q3, isSkewed)})`,
          },
        ],
  );

  /** What lies beyond the fence and beyond a gap, from the gap on. */
  function outside(ordered: readonly { readonly value: string; readonly number: number; readonly count: number }[], fence: number) {
    const at = ordered.findIndex(({ number }, index) => {
      const previous = ordered[index - 1]?.number;
      return number > fence && previous !== undefined && number - previous >= GAP * Math.max(width, (previous - (q2 ?? 0)) / 2);
    });
    if (at < 0) return [];
    const far = ordered.slice(at);
    if (far.reduce((sum, { count }) => sum + count, 0) > RARE * total) return [];
    return far.map(({ value, count, number }) => ({ value, count, apart: (number - fence) / width }));
  }
}

function text(number: number, isLog: boolean): string {
  return String(Number((isLog ? Math.exp(number) : number).toPrecision(4)));
}

function quantile(ordered: readonly { readonly number: number; readonly count: number }[], total: number, share: number): number {
  let seen = 0;
  for (const { number, count } of ordered) {
    seen += count;
    if (seen >= share * total) return number;
  }
  return ordered.at(-1)?.number ?? 0;
}
