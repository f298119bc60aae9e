// SPDX-License-Identifier: Apache-2.0
import { readdir } from 'node:fs/promises';
import { chooseSeed, roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { centroidShift } from './centroid-shift.ts';
import { duplicateCounter } from './duplicate-counter.ts';
import { quantileSketch, RELATIVE_ACCURACY } from './quantile-sketch.ts';
import { vectorStatistics } from './vector-statistics.ts';

const seed = chooseSeed();
const component = fc.oneof(
  { weight: 8, arbitrary: fc.double({ min: -100, max: 100, noNaN: true }) },
  { weight: 2, arbitrary: fc.constantFrom(0, -0, 1) },
  { weight: 1, arbitrary: fc.constantFrom(null, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY) },
);
const vectors = fc.array(fc.option(fc.array(component, { minLength: 2, maxLength: 4 }), { nil: undefined, freq: 6 }), { maxLength: 40 });

describe('statistics equal a naive computation', () => {
  test('for any vectors', () => {
    fc.assert(
      fc.property(vectors, (points) => {
        const statistics = vectorStatistics(3);
        for (const vector of points) statistics.add(vector);
        const measured = new Map(
          statistics
            .metrics({ attribute: 'v', segment: null })
            .map((point) => [`${point.metric_name} ${point.metric_aggregation}`, point.value]),
        );

        const present = points.filter((vector) => vector !== undefined);
        const finite = present.filter((vector) => vector.every((value) => value !== null && Number.isFinite(value)));
        const norms = finite.map((vector) => Math.hypot(...vector.map(Number))).sort((x, y) => x - y);
        const mean = norms.reduce((sum, norm) => sum + norm, 0) / norms.length;
        const deviation = Math.sqrt(norms.reduce((sum, norm) => sum + (norm - mean) ** 2, 0) / (norms.length - 1));
        const share = (part: number, whole: number) => (whole === 0 ? null : (100 * part) / whole);
        const near = (name: string, expected: number | null) => {
          const value = measured.get(name);
          if (expected === null || typeof value !== 'number') expect([name, value]).toEqual([name, expected]);
          else expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
        };
        near('COMPLETENESS ratio', share(present.length, points.length));
        near('VECTOR_DIMENSION_CONFORMITY ratio', share(present.filter(({ length }) => length === 3).length, present.length));
        near('VECTOR_NAN_COUNT count', present.filter((vector) => vector.includes(null)).length);
        near(
          'VECTOR_INFINITE_COUNT count',
          present.filter((vector) => vector.some((value) => value !== null && Math.abs(value) === Number.POSITIVE_INFINITY)).length,
        );
        near('VECTOR_ZERO_COUNT count', norms.filter((norm) => norm === 0).length);
        near('VECTOR_NORM min', norms[0] ?? null);
        near('VECTOR_NORM max', norms.at(-1) ?? null);
        near('VECTOR_NORM mean', norms.length === 0 ? null : mean);
        near('VECTOR_NORM stddev', norms.length < 2 ? null : deviation);

        const conforming = finite.filter(({ length }) => length === 3);
        const centroid = [0, 1, 2].map((axis) => conforming.reduce((sum, vector) => sum + Number(vector[axis]), 0) / conforming.length);
        const found = statistics.centroid();
        if (conforming.length === 0) expect(found).toBeUndefined();
        else for (const [axis, value] of (found ?? []).entries()) expect(value).toBeCloseTo(centroid[axis] ?? Number.NaN, 9);
      }),
      { seed, numRuns: roundsOf({ quick: 300 }) },
    );
  });

  test('quantiles lie within the accuracy of the value of their rank', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.double({ min: 0, max: 1e12, noNaN: true }), fc.constant(0)), { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, share) => {
          const sketch = quantileSketch();
          for (const value of values) sketch.add(value);
          const sorted = values.toSorted((x, y) => x - y);
          const truth = sorted[Math.floor(share * (values.length - 1))] ?? Number.NaN;
          expect(Math.abs((sketch.quantile(share) ?? Number.NaN) - truth)).toBeLessThanOrEqual(truth * RELATIVE_ACCURACY * 1.0001 + 1e-29);
        },
      ),
      { seed, numRuns: roundsOf({ quick: 300 }) },
    );
    expect(quantileSketch().quantile(0.5)).toBeNull();
  });

  test('duplicates are those beyond the first of each, in memory as in files', async () => {
    await using directory = await temporaryDirectory();
    const few = fc.array(fc.constantFrom([0, 0], [-0, 0], [1, 2], [2, 1], [Number.NaN, 1], [1, 2, 3], [0.1, 0.2]), { maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(few, fc.constantFrom(33, 64, 32_768), async (points, bufferBytes) => {
        const texts = points.map((vector) => vector.map((value) => String(value + 0)).join());
        const distinct = new Set(texts);
        {
          await using counter = duplicateCounter(directory.path, bufferBytes);
          for (const [index, vector] of points.entries()) {
            await counter.add(
              Float64Array.from(vector, (value) => value + 0),
              String(index),
            );
          }
          const { count, pairs } = await counter.count();
          expect(count).toBe(points.length - distinct.size);
          const named = [...distinct].map((text) => Math.min(3, texts.filter((each) => each === text).length - 1));
          expect(pairs).toHaveLength(
            Math.min(
              10,
              named.reduce((sum, each) => sum + each, 0),
            ),
          );
          for (const { id, first } of pairs) {
            expect(texts.indexOf(texts[Number(id)] ?? '')).toBe(Number(first));
            expect(Number(first)).toBeLessThan(Number(id));
          }
        }
        expect(await readdir(directory.path)).toEqual([]);
      }),
      { seed, numRuns: roundsOf({ quick: 40 }) },
    );
  });
});

test('the shift of a centroid by hand', () => {
  expect(centroidShift([1, 0], [0, 1])).toEqual({ cosine: 1, euclid: Math.SQRT2 });
  expect(centroidShift([1, 0], [-2, 0])).toEqual({ cosine: 2, euclid: 3 });
  expect(centroidShift([0.1, 0.3], [0.1, 0.3])?.euclid).toBe(0);
  expect(centroidShift([0.1, 0.3], [0.1, 0.3])?.cosine).toBeCloseTo(0, 12);
  expect(centroidShift([0, 0], [3, 4])).toEqual({ cosine: null, euclid: 5 });
  expect(centroidShift([1], [1, 2])).toBeUndefined();
  expect(centroidShift(undefined, [1])).toBeUndefined();
});
