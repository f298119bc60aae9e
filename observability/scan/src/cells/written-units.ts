// SPDX-License-Identifier: Apache-2.0
/** Numbers with a unit behind them that the column itself writes in several ways: then none of its cells is written as a number. */
import type { ColumnValues } from './column-values.ts';
import { isNumber } from './patterns.ts';
import type { ValueSuspicion } from './suspicion.ts';

const AMOUNT = /^([+-]?\d[\d,]*(?:\.\d+)?)\s*(\p{L}{1,12}\.?|%)$/u;
/** Units and spellings of them that one column has. */
const UNITS_MAX = 12;
/** Below it amounts are exceptions, for the detector of formats. */
const SHARE_MIN = 0.2;
/** All others are plain numbers, but for so many. */
const OTHERS_MAX = 0.1;

export function writtenUnits({ values, present }: ColumnValues): readonly ValueSuspicion[] {
  const amounts = values.flatMap(({ value, count }) => {
    const [, number = '', unit = ''] = AMOUNT.exec(value) ?? [];
    return unit === '' ? [] : [{ value, count, number, unit, tail: value.slice(number.length) }];
  });
  const tails = Map.groupBy(amounts, ({ tail }) => tail);
  const written = amounts.reduce((sum, { count }) => sum + count, 0);
  const plain = values.reduce((sum, { value, count }) => sum + (isNumber(value) ? count : 0), 0);
  if (tails.size < 2 || tails.size > UNITS_MAX || written < SHARE_MIN * present || written + plain < (1 - OTHERS_MAX) * present) return [];
  const names = [...tails.keys()].map((tail) => tail.trim().toLowerCase().replace('.', ''));
  const [first = ''] = names;
  // Spellings of one unit begin alike; grams beside metres are two units, and no one's fault.
  if (!names.every((name) => name[0] === first[0])) return [];
  return amounts.map(({ value, number }) => ({
    detector: 'format' as const,
    value,
    score: 0.7,
    reason: `a number with its unit, which the column writes in ${tails.size} ways`,
    repair: number,
  }));
}
