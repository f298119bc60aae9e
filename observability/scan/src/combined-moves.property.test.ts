// SPDX-License-Identifier: Apache-2.0
/** What is said of rows with several values at once is what counting those rows says. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SegmentCube, SegmentFigures, SegmentMove, SegmentProfile } from './scan.ts';
import { segmentMoves } from './segment-moves.ts';

type TableRow = { readonly values: readonly (string | null)[]; readonly price: number | null };

const ATTRIBUTES = ['country', 'channel', 'version'];

/** With at most so many values of each attribute; the others are one. */
function profile(rows: readonly TableRow[], valuesMax = 10): SegmentProfile {
  const axes = ATTRIBUTES.map((attribute, axis) => {
    const values = [...new Set(rows.map((row) => row.values[axis] ?? null))].toSorted((one, other) =>
      String(one).localeCompare(String(other)),
    );
    return { attribute, values: values.slice(0, valuesMax) };
  });
  const placed = rows.map((row) => ({ row, at: axes.map(({ values }, axis) => values.indexOf(row.values[axis] ?? null) + 1) }));
  const cells = [...Map.groupBy(placed, ({ at }) => at.join())].map(([, same]) => ({
    at: same[0]?.at ?? [],
    ...figuresOf(same.map(({ row }) => row)),
  }));
  const groups = [...Map.groupBy(rows, ({ values: [country = null] }) => country)].map(([value, own]) => ({
    attribute: 'country',
    value,
    ...figuresOf(own),
  }));
  return { attributes: ['price'], groups, cube: { axes, attributes: ['price'], cells } satisfies SegmentCube };
}

function figuresOf(rows: readonly TableRow[]): SegmentFigures {
  const prices = rows.flatMap(({ price }) => price ?? []);
  return { rows: rows.length, filled: [prices.length], numbers: [prices.length], sums: [prices.reduce((sum, price) => sum + price, 0)] };
}

/** Of one segment: its conditions, sorted, and its figures. */
function explanationsOf(moves: readonly SegmentMove[]) {
  return moves.flatMap(({ measure, segments }) =>
    segments.map(({ attribute, value, also = [], ...figures }) => ({ measure, conditions: [{ attribute, value }, ...also], figures })),
  );
}

function having(rows: readonly TableRow[], conditions: ReturnType<typeof explanationsOf>[number]['conditions']): readonly TableRow[] {
  return rows.filter(({ values }) => conditions.every(({ attribute, value }) => (values[ATTRIBUTES.indexOf(attribute)] ?? null) === value));
}

const row = fc.record({
  values: fc.tuple(fc.constantFrom('AT', 'DE', 'FR', null), fc.constantFrom('app', 'shop'), fc.constantFrom('1', '2', '3')),
  price: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 8 }),
  kind: fc.constantFrom('kept', 'kept', 'kept', 'gone', 'new'),
});

test('rows, completeness, means and shares of combinations are those of their rows, whatever values are told apart', () => {
  let combinations = 0;
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 50, maxLength: 300 }),
      fc.constantFrom('gone', 'empty', 'dear'),
      fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })),
      (drawn, fault, [valuesBefore, valuesAfter]) => {
        const isHit = ({ values: [country, channel] }: TableRow) => country === 'AT' && channel === 'app';
        const before = drawn.filter(({ kind }) => kind !== 'new');
        const after = drawn
          .filter((one) => one.kind !== 'gone' && !(fault === 'gone' && isHit(one)))
          .map((one) => (!isHit(one) || one.price === null ? one : { ...one, price: fault === 'empty' ? null : one.price * 100 }));
        fc.pre(before.length > 0 && after.length > 0);
        const wholes = { before: figuresOf(before), after: figuresOf(after) };
        const moves = segmentMoves(profile(before, valuesBefore), profile(after, valuesAfter));
        for (const { measure, conditions, figures } of explanationsOf(moves)) {
          if (conditions.length > 1) combinations += 1;
          const [was, is] = [figuresOf(having(before, conditions)), figuresOf(having(after, conditions))];
          if (measure === 'VOLUME') {
            expect(figures).toEqual({ before: was.rows, after: is.rows });
            continue;
          }
          const weightOf = ({ rows, numbers: [count = 0] }: SegmentFigures) => (measure === 'MEAN' ? count : rows);
          const sumOf = ({ filled: [count = 0], sums: [sum] }: SegmentFigures) => (measure === 'MEAN' ? (sum ?? 0) : 100 * count);
          const meanOf = (of: SegmentFigures) => (weightOf(of) === 0 ? null : sumOf(of) / weightOf(of));
          const [M0, M1] = [meanOf(wholes.before) ?? 0, meanOf(wholes.after) ?? 0];
          const partOf = (of: SegmentFigures, whole: SegmentFigures) => (sumOf(of) - weightOf(of) * M0) / weightOf(whole);
          const share = (partOf(is, wholes.after) - partOf(was, wholes.before)) / (M1 - M0);
          expect(figures).toEqual({
            rows_before: was.rows,
            rows_after: is.rows,
            before: meanOf(was),
            after: meanOf(is),
            share: expect.closeTo(share, 6),
          });
        }
      },
    ),
    { numRuns: 200 },
  );
  expect(combinations).toBeGreaterThan(50);
});

describe('a change of rows that have three values at once', () => {
  const rows = Array.from({ length: 1200 }, (_, id): TableRow => {
    const values = [['IT', 'DE', 'FR', 'ES', null][id % 5] ?? null, ['web', 'shop'][Math.floor(id / 5) % 2] ?? null];
    return { values: [...values, String(1 + (Math.floor(id / 10) % 4))], price: 10 };
  });
  const isHit = ({ values }: TableRow) => values.join() === 'IT,web,2';
  const triple = {
    attribute: 'country',
    value: 'IT',
    also: [
      { attribute: 'channel', value: 'web' },
      { attribute: 'version', value: '2' },
    ],
  };

  test('of their number is explained by the three, before and after', () => {
    const [move] = segmentMoves(profile(rows), profile(rows.filter((one) => !isHit(one))));
    expect(move).toEqual({
      attribute: null,
      measure: 'VOLUME',
      before: 1200,
      after: 1170,
      segments: [{ ...triple, before: 30, after: 0 }],
    });
    const [growth] = segmentMoves(profile(rows.filter((one) => !isHit(one))), profile(rows));
    expect(growth).toMatchObject({ measure: 'VOLUME', segments: [{ ...triple, before: 0, after: 30 }] });
  });

  test('of completeness or of a mean is explained by the three, and by none of them alone', () => {
    const changed = (price: number | null) => rows.map((one) => (isHit(one) ? { ...one, price } : one));
    const moved = { ...triple, rows_before: 30, rows_after: 30, share: expect.closeTo(1) };
    expect(segmentMoves(profile(rows), profile(changed(null)))).toEqual([
      { attribute: 'price', measure: 'COMPLETENESS', before: 100, after: 97.5, segments: [{ ...moved, before: 100, after: 0 }] },
    ]);
    expect(segmentMoves(profile(rows), profile(changed(250)))).toEqual([
      { attribute: 'price', measure: 'MEAN', before: 10, after: 16, segments: [{ ...moved, before: 10, after: 250 }] },
    ]);
  });

  test('that all rows share is explained by none', () => {
    const half = rows.filter((_, id) => Math.floor(id / 40) % 2 === 0);
    expect(segmentMoves(profile(rows), profile(half))).toEqual([]);
    expect(segmentMoves(profile(rows), profile(rows.map((one) => ({ ...one, price: 20 }))))).toEqual([]);
    expect(segmentMoves(profile(rows), profile(rows))).toEqual([]);
  });

  test('is not explained by combinations where a scan before kept none', () => {
    const { cube: _, ...old } = profile(rows);
    expect(explanationsOf(segmentMoves(old, profile(rows.map((one) => (isHit(one) ? { ...one, price: 250 } : one)))))).toMatchObject([
      { measure: 'MEAN', conditions: [{ attribute: 'country', value: 'IT' }] },
    ]);
  });
});
