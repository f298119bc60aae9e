// SPDX-License-Identifier: Apache-2.0
/**
 * Mean and standard deviation of numbers, the same on every engine and in every scan of the same rows. The pass before has found between which
 * values the numbers of each column and segment lie.
 */
import type { Dialect } from '../dialect/dialect.ts';
import type { Cell } from '../engine/engine.ts';
import type { MeasuredColumn } from '../plan/columns.ts';
import type { SegmentDimension } from '../plan/segments.ts';
import type { PointCollector } from '../points.ts';
import { type FixedPoint, fixedPointOf, momentsOf, squareOfUnits, unitsFromPivot } from './fixed-point.ts';
import type { NumberRanges } from './number-ranges.ts';
import type { AggregateGroup } from './pass.ts';

export type MomentOptions = {
  readonly columns: readonly MeasuredColumn[];
  readonly dialect: Dialect;
  readonly ranges: NumberRanges;
  readonly points: PointCollector;
};

/** Of the whole, or of the segments of one dimension in a pass over it alone. */
export function momentGroups(options: MomentOptions, dimension?: SegmentDimension): readonly AggregateGroup[] {
  const { columns, dialect, ranges, points } = options;
  const segments: readonly (string | null)[] = dimension === undefined ? [null] : dimension.names;
  return columns.flatMap(({ name: attribute, double }, index): AggregateGroup[] => {
    const fixed = segments.map((segment) => fixedPointOf(ranges.rangeOf(attribute, segment)));
    if (double === null || fixed.every((one) => one === undefined)) return [];
    const receive = (units: Cell, squares: Cell, segment: string | null): void => {
      const one = fixed[segments.indexOf(segment)];
      const count = ranges.rangeOf(attribute, segment)?.count ?? 0;
      if (one === undefined || units === null || squares === null) return;
      const { mean, deviation } = momentsOf(one, { units: BigInt(units), squares: BigInt(squares), count });
      points.add('MEAN', 'mean', { attribute, segment, value: mean });
      points.add('STDDEV', 'stddev', { attribute, segment, value: deviation });
    };
    const constant = (name: keyof FixedPoint): string => {
      const values = fixed.map((one) => one?.[name] ?? null);
      const [only = null] = values;
      return dimension === undefined && only !== null ? dialect.number(only) : dialect.pick('segment_0', values);
    };
    const constants = { pivot: constant('pivot'), anchor: constant('anchor'), scale: constant('scale') };
    // The position in the dimension is a column of the inner SELECT, so that what depends on it stands in the outer one.
    const [inner, units] =
      dimension === undefined
        ? [`${unitsFromPivot(double, constants)} AS units_${index}`, `units_${index}`]
        : [`${double} AS double_${index}`, unitsFromPivot(`double_${index}`, constants)];
    return [{ inner: [inner], aggregates: sums(units, dialect, receive) }];
  });
}

function sums(
  units: string,
  dialect: Dialect,
  receive: (units: Cell, squares: Cell, segment: string | null) => void,
): AggregateGroup['aggregates'] {
  let sum: Cell = null;
  return [
    {
      sql: dialect.sumOfIntegers(dialect.wholeNumber(units)),
      receive: (value) => {
        sum = value;
      },
    },
    {
      sql: dialect.sumOfIntegers(dialect.wholeNumber(squareOfUnits(units, dialect))),
      receive: (value, segment) => receive(sum, value, segment),
    },
  ];
}
