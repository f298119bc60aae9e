// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { bandedAxis } from './banded-axis.ts';

function points(values: readonly number[], bounds: readonly (readonly [lower: number | null, upper: number | null])[]) {
  return values.map((value, index) => {
    const [lower_bound, upper_bound] = bounds[index] ?? [null, null];
    return { metric_time: `2026-01-0${index + 1}T00:00:00.000Z`, value, lower_bound, upper_bound };
  });
}

describe('an axis with bands', () => {
  test('holds every value and every near bound', () => {
    const axis = bandedAxis(
      points(
        [1, 2, 3],
        [
          [0, 4],
          [0, 4],
          [0, 4],
        ],
      ),
    );
    expect(axis.min).toBeLessThan(0);
    expect(axis.max).toBeGreaterThan(4);
    expect(axis.bands.map(({ lower, upper }) => [lower, upper])).toEqual([
      [0, 4],
      [0, 4],
      [0, 4],
    ]);
  });

  test('a side without a bound reaches to the edge', () => {
    const axis = bandedAxis(
      points(
        [1, 2],
        [
          [0, null],
          [null, 3],
        ],
      ),
    );
    expect(axis.bands[0]).toMatchObject({ lower: 0, upper: axis.max });
    expect(axis.bands[1]).toMatchObject({ lower: axis.min, upper: 3 });
  });

  test('a bound far away is cut instead of pressing the values to a line', () => {
    const axis = bandedAxis(
      points(
        [1, 2],
        [
          [0, 1e9],
          [0, 1e9],
        ],
      ),
    );
    expect(axis.max).toBeLessThan(10);
    expect(axis.bands[0]?.upper).toBe(axis.max);
  });

  test.each([[[0, 0]], [[5]], [[-2, -2, -2]]])('values that stand still (%j) have a height', (values) => {
    const { min, max } = bandedAxis(points(values, []));
    expect(max).toBeGreaterThan(min);
  });
});
