// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import type { SegmentProfile } from './scan.ts';
import { segmentMoves } from './segment-moves.ts';

type Figures = readonly [rows: number, filled: number, sum: number | null];

/** Of one column `a`, whose numbers are its filled values. */
function profile(groups: { readonly [attribute: string]: { readonly [value: string]: Figures } }): SegmentProfile {
  return {
    attributes: ['a'],
    groups: Object.entries(groups).flatMap(([attribute, values]) =>
      Object.entries(values).map(([value, [rows, filled, sum]]) => ({
        attribute,
        value: value === '' ? null : value,
        rows,
        filled: [filled],
        numbers: [filled],
        sums: [sum],
      })),
    ),
  };
}

const BEFORE = profile({ land: { DE: [500, 500, 5000], IT: [100, 100, 1000], FR: [400, 400, 4000] } });

describe('a change', () => {
  test('of completeness is explained by the rows that lost their values, with exact counts', () => {
    const after = profile({ land: { DE: [500, 500, 5000], IT: [100, 20, 200], FR: [400, 400, 4000] } });
    const italian = { attribute: 'land', value: 'IT', rows_before: 100, rows_after: 100, before: 100, after: 20, share: 1 };
    expect(segmentMoves(BEFORE, after)).toEqual([
      { attribute: 'a', measure: 'COMPLETENESS', before: 100, after: 92, segments: [{ ...italian, share: expect.closeTo(1) }] },
    ]);
  });

  test('of a mean is explained by the rows whose numbers moved', () => {
    const after = profile({ land: { DE: [500, 500, 5000], IT: [100, 100, 100_000], FR: [400, 400, 4000] } });
    expect(segmentMoves(BEFORE, after)).toMatchObject([
      { measure: 'MEAN', before: 10, after: 109, segments: [{ value: 'IT', before: 10, after: 1000, share: expect.closeTo(1) }] },
    ]);
  });

  test('of a mean is explained by rows that came, though each group stayed as it was', () => {
    const before = profile({ land: { DE: [900, 900, 9000], IT: [100, 100, 100_000] } });
    const after = profile({ land: { DE: [900, 900, 9000], IT: [900, 900, 900_000] } });
    expect(segmentMoves(before, after)).toMatchObject([
      { measure: 'MEAN', segments: [{ value: 'IT', rows_before: 100, rows_after: 900 }] },
    ]);
    const gone = profile({ land: { DE: [900, 900, 9000] } });
    expect(segmentMoves(before, gone)).toMatchObject([{ segments: [{ value: 'IT', rows_after: 0, after: null }] }]);
    expect(segmentMoves(gone, before)).toMatchObject([{ segments: [{ value: 'IT', rows_before: 0, before: null }] }]);
  });

  test('that all rows share is explained by none', () => {
    const half = profile({ land: { DE: [500, 250, 2500], IT: [100, 50, 500], FR: [400, 200, 2000] } });
    expect(segmentMoves(BEFORE, half)).toEqual([]);
    const twice = profile({ land: { DE: [500, 500, 10_000], IT: [100, 100, 2000], FR: [400, 400, 8000] } });
    expect(segmentMoves(BEFORE, twice)).toEqual([]);
  });

  test('is not explained where there is none, where a sum is none, or where nothing can be compared', () => {
    expect(segmentMoves(BEFORE, BEFORE)).toEqual([]);
    expect(segmentMoves(BEFORE, profile({ land: { DE: [500, 500, 5000], IT: [100, 100, null], FR: [400, 400, 4000] } }))).toEqual([]);
    expect(segmentMoves(BEFORE, profile({ channel: { web: [1000, 10, 1] } }))).toEqual([]);
    expect(segmentMoves({ ...BEFORE, attributes: ['b'] }, profile({ land: { DE: [500, 0, 0], IT: [500, 500, 9] } }))).toEqual([]);
    expect(segmentMoves(profile({ land: {} }), BEFORE)).toEqual([]);
  });

  test('is explained by no value of the column itself, and first by the fewest rows', () => {
    const itself = [profile({ a: { x: [50, 50, 50], '': [50, 0, 0] } }), profile({ a: { x: [10, 10, 10], '': [90, 0, 0] } })] as const;
    expect(segmentMoves(...itself)).toEqual([]);
    const both = (filled: number) =>
      profile({ big: { y: [500, 400 + filled, null], n: [500, 500, null] }, small: { y: [100, filled, null], n: [900, 900, null] } });
    const [move] = segmentMoves(both(100), both(0));
    expect(move?.segments.map(({ attribute, value }) => [attribute, value])).toEqual([
      ['small', 'y'],
      ['big', 'y'],
    ]);
  });
});
