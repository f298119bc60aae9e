// SPDX-License-Identifier: Apache-2.0
import type { IncidentEvidence, MetricPoint, Monitor, SchemaChange } from '@sextant/contracts-observability';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../evaluation/evaluate.ts';
import type { SeriesKey } from '../evaluation/evaluation.ts';
import { seriesId } from '../evaluation/scan-series.ts';
import { bounds, DAY_MS, point, predefined, rule } from '../evaluation/testing/watched-asset.ts';
import { factorOf } from './distribution-shift.ts';
import { type CountedRule, explained, type FileChange, type SegmentMove } from './explain.ts';
import { nameSimilarity } from './renames.ts';
import { whySentences } from './sentences.ts';

const NOW_MS = Date.UTC(2026, 0, 10);

type Scans = {
  readonly before: readonly MetricPoint[];
  readonly after: readonly MetricPoint[];
  readonly schemaChanges?: readonly SchemaChange[];
  readonly ruleCounts?: readonly CountedRule[];
  readonly segmentMoves?: readonly SegmentMove[];
  readonly fileChanges?: readonly FileChange[];
};

/** What the violated monitors say of two scans. */
function evidenceOf(
  monitors: readonly Monitor[],
  { before, after, schemaChanges = [], ruleCounts = [], segmentMoves = [], fileChanges = [] }: Scans,
): readonly IncidentEvidence[] {
  const historyOf = (series: SeriesKey) =>
    before
      .filter((each) => seriesId(each) === seriesId(series))
      .map(({ value }) => ({ timeMs: NOW_MS - DAY_MS, value, isExcluded: false }));
  const request = {
    monitors,
    points: after,
    metricTimeMs: NOW_MS,
    schemaChanges,
    samples: [],
    historyOf,
    previousSeries: before,
    parents: [],
    ruleCounts,
    segmentMoves,
    fileChanges,
  };
  return explained(request, evaluate(request)).verdicts.flatMap(({ evidence = [] }) => evidence);
}

const shares = (attribute: string, values: { readonly [value: string]: number }) =>
  Object.entries(values).map(([value, share]) => point('VALUE_DISTRIBUTION', value, share, { attribute }));
const statistics = (attribute: string, factor: number) =>
  (
    [
      ['QUANTILE', 'p05', 1],
      ['QUANTILE', 'p25', 4],
      ['MEDIAN', 'median', 6],
      ['QUANTILE', 'p75', 8],
      ['QUANTILE', 'p95', 12],
      ['MEAN', 'mean', 6.4],
      ['STDDEV', 'stddev', 3],
    ] as const
  ).map(([metric, name, value]) => point(metric, name, value * factor, { attribute }));

describe('a rule', () => {
  const monitor = rule('7', { name: 'customer is set', threshold: bounds(100, null) });
  const correctness = (value: number) => point('CORRECTNESS', 'ratio', value, { attribute: 'customer_id', monitor_id: '7' });

  test('is explained by the values that its failed rows have in common, with exact counts', () => {
    const segments = [{ attribute: 'country', value: 'IT', checked: 500, failed: 480, lift: 20 }];
    const ruleCounts = [{ monitor_id: '7', checked: 10_000, failed: 480, segments }];
    const evidence = evidenceOf([monitor], { before: [correctness(100)], after: [correctness(95.2)], ruleCounts });
    expect(evidence).toEqual([{ kind: 'RULE', rule: 'customer is set', attribute: 'customer_id', checked: 10_000, failed: 480, segments }]);
    expect(whySentences(evidence)).toEqual([
      '480 of 10,000 rows fail the rule `customer is set`.',
      'All 480 failing rows have country = IT, which 5 % of all rows have.',
    ]);
  });

  test('is explained by several values at once, all of which are named', () => {
    const also = [
      { attribute: 'channel', value: 'web' },
      { attribute: 'version', value: null },
    ];
    const segments = [{ attribute: 'country', value: 'IT', also, checked: 480, failed: 470, lift: 20 }];
    const ruleCounts = [{ monitor_id: '7', checked: 10_000, failed: 480, segments }];
    const evidence = evidenceOf([monitor], { before: [correctness(100)], after: [correctness(95.2)], ruleCounts });
    expect(evidence).toMatchObject([{ segments }]);
    expect(whySentences(evidence).at(-1)).toBe(
      '470 of the 480 failing rows have country = IT, channel = web and no value in `version`, which 4.8 % of all rows have.',
    );
  });

  test('whose failed rows have nothing in common is counted, and no more', () => {
    const ruleCounts = [{ monitor_id: '7', checked: 100, failed: 2 }];
    const evidence = evidenceOf([monitor], { before: [correctness(100)], after: [correctness(98)], ruleCounts });
    expect(whySentences(evidence)).toEqual(['2 of 100 rows fail the rule `customer is set`.']);
  });

  test('whose failed rows could not be looked at says why, and not that they have nothing in common', () => {
    const ruleCounts = [{ monitor_id: '7', checked: 100, failed: 2, unexplained: 'The rule took longer than its limit of 60 s' }];
    const evidence = evidenceOf([monitor], { before: [correctness(100)], after: [correctness(98)], ruleCounts });
    expect(evidence).toMatchObject([{ segments: [], unexplained: 'The rule took longer than its limit of 60 s' }]);
    expect(whySentences(evidence)).toEqual([
      '2 of 100 rows fail the rule `customer is set`.',
      'What they have in common could not be computed: The rule took longer than its limit of 60 s.',
    ]);
  });
});

describe('a volume', () => {
  const monitor = predefined('RECORD_COUNT', { threshold: bounds(990, null) });
  const records = (value: number, segment: string | null = null) => point('RECORD_COUNT', 'count', value, { segment });
  const top = (value: string, rows: number) => point('TOP_VALUE', value, rows, { attribute: 'country' });

  test('is explained by the values whose rows are missing', () => {
    const before = [records(1000), top('DE', 600), top('IT', 300), top('FR', 100)];
    const evidence = evidenceOf([monitor], { before, after: [records(700), top('DE', 600), top('FR', 100)] });
    expect(evidence).toEqual([
      {
        kind: 'VOLUME',
        attribute: null,
        before: 1000,
        after: 700,
        segments: [{ attribute: 'country', value: 'IT', before: 300, after: 0 }],
      },
    ]);
    expect(whySentences(evidence)).toEqual([
      '700 rows, 1,000 at the previous scan (-30 %).',
      '0 rows have country = IT, 300 had it before: 100 % of the missing rows.',
    ]);
  });

  test('is explained by rows with several values at once, without those values by themselves', () => {
    const before = [records(1000), top('DE', 600), top('IT', 300), top('FR', 100)];
    const after = [records(800), top('DE', 600), top('IT', 100), top('FR', 100)];
    const combined = { attribute: 'country', value: 'IT', also: [{ attribute: 'channel', value: 'web' }], before: 200, after: 0 };
    const move = { attribute: null, measure: 'VOLUME', before: 1000, after: 800, segments: [combined] } as const;
    const evidence = evidenceOf([monitor], { before, after, segmentMoves: [move] });
    expect(evidence).toMatchObject([{ kind: 'VOLUME', segments: [combined] }]);
    expect(evidence).toHaveLength(1);
    expect(whySentences(evidence).at(-1)).toBe(
      '0 rows have country = IT and channel = web, 200 had them before: 100 % of the missing rows.',
    );
    // Of another scan before.
    const [other] = evidenceOf([monitor], { before, after, segmentMoves: [{ ...move, before: 990 }] });
    expect(other).toMatchObject({ segments: [{ attribute: 'country', value: 'IT', before: 300, after: 100 }] });
  });

  test('is not explained by values that merely shrank with it', () => {
    const before = [records(1000), top('DE', 600), top('IT', 400), records(600, 'country=DE')];
    const evidence = evidenceOf([monitor], { before, after: [records(500), top('DE', 300), top('IT', 200), records(300, 'country=DE')] });
    expect(evidence).toMatchObject([{ kind: 'VOLUME', segments: [] }]);
  });

  test('of several files names those that are missing or short, and none that grew meanwhile', () => {
    const fileChanges = [
      { name: 'part-3.csv', before: 300, after: null },
      { name: 'part-2.csv', before: 60, after: 0 },
      { name: 'part-4.csv', before: null, after: 50 },
      { name: 'part-1.csv', before: 400, after: 350 },
    ];
    const evidence = evidenceOf([monitor], { before: [records(1000)], after: [records(700)], fileChanges });
    expect(evidence).toMatchObject([
      { kind: 'VOLUME', segments: [], files: [{ name: 'part-3.csv' }, { name: 'part-2.csv' }, { name: 'part-1.csv' }] },
    ]);
    expect(whySentences(evidence)).toEqual([
      '700 rows, 1,000 at the previous scan (-30 %).',
      'The file `part-3.csv` is missing: it had 300 rows.',
      'The file `part-2.csv` has 0 rows, it had 60.',
      'The file `part-1.csv` has 350 rows, it had 400.',
    ]);
    const more = predefined('RECORD_COUNT', { threshold: bounds(null, 1000) });
    expect(whySentences(evidenceOf([more], { before: [records(700)], after: [records(1050)], fileChanges }))).toEqual([
      '1,050 rows, 700 at the previous scan (+50 %).',
      'The file `part-4.csv` is new: it has 50 rows.',
    ]);
  });
});

describe('a distribution', () => {
  const monitor = predefined('NULL_PERCENTAGE', { attributes: ['country'], threshold: bounds(null, 1) });

  test('shows the shares that moved most, before and after', () => {
    const place = { attribute: 'country' };
    const before = [point('NULL_PERCENTAGE', 'ratio', 0, place), ...shares('country', { DE: 60, IT: 40 })];
    const after = [point('NULL_PERCENTAGE', 'ratio', 40, place), ...shares('country', { DE: 60.02 })];
    const [evidence] = evidenceOf([monitor], { before, after });
    expect(evidence).toMatchObject({
      kind: 'DISTRIBUTION',
      measure: 'SHARE',
      changes: [
        { name: '(null)', before: 0, after: 40 },
        { name: 'IT', before: 40, after: null },
      ],
    });
    expect(whySentences(evidence === undefined ? [] : [evidence])).toEqual([
      'Of `country`, `(null)` went from 0 % to 40 %, `IT` went from 40 % to nothing.',
    ]);
  });

  test('of numbers shows its statistics, and tells a change of the unit', () => {
    const mean = predefined('MEAN', { attributes: ['price'], threshold: bounds(0, 10) });
    const evidence = evidenceOf([mean], { before: statistics('price', 1), after: statistics('price', 100) });
    expect(evidence).toMatchObject([{ measure: 'STATISTIC', factor: 100 }]);
    expect(whySentences(evidence)).toEqual(['The values of `price` are about 100 times what they were: the unit may have changed.']);
  });

  test('whose statistics moved apart has no factor', () => {
    const change = (name: string, before: number, after: number) => ({ name, before, after });
    expect(factorOf([change('p25', 1, 2), change('median', 1, 2), change('p75', 1, 3)])).toBeNull();
    expect(factorOf([change('p25', 1, 2), change('median', 1, 2)])).toBeNull();
    expect(factorOf([change('p25', 1, 1.1), change('median', 1, 1.1), change('mean', 1, 1.1)])).toBeNull();
    expect(factorOf([change('p25', 0, 2), change('median', -3, -6), change('p75', 1, 2), change('mean', 2, 4)])).toBe(2);
  });
});

describe('what the rows of one value changed', () => {
  const move = { attribute: 'price', before: 10, after: 50, measure: 'MEAN' } as const;
  const italian = { attribute: 'country', value: 'IT', rows_before: 100, rows_after: 100, before: 10, after: 410, share: 1 };
  const segmentMoves: readonly SegmentMove[] = [
    { ...move, segments: [italian] },
    { ...move, measure: 'COMPLETENESS', segments: [{ ...italian, value: null, before: 100, after: 20, share: 0.42 }] },
    { ...move, attribute: 'other', segments: [italian] },
  ];
  const mean = predefined('MEAN', { attributes: ['price'], threshold: bounds(0, 10) });
  const nulls = predefined('NULL_PERCENTAGE', { attributes: ['price'], threshold: bounds(null, 1) });
  const place = { attribute: 'price' };

  test('explains a mean and its quantiles', () => {
    const evidence = evidenceOf([mean], {
      before: [point('MEAN', 'mean', 10, place)],
      after: [point('MEAN', 'mean', 50, place)],
      segmentMoves,
    });
    expect(evidence).toMatchObject([{ kind: 'DISTRIBUTION' }, { kind: 'SEGMENTS', ...move, segments: [italian] }]);
    expect(whySentences(evidence).at(-1)).toBe(
      'Rows with country = IT account for 100 % of the change of the mean of `price`: there it went from 10 (100 rows) to 410 (100 rows).',
    );
  });

  test('explains missing values', () => {
    const [before, after] = [0, 40].map((value) => [point('NULL_PERCENTAGE', 'ratio', value, place)]);
    const evidence = evidenceOf([nulls], { before: before ?? [], after: after ?? [], segmentMoves });
    expect(whySentences(evidence).at(-1)).toBe(
      'Rows with no value in `country` account for 42 % of the change of the completeness of `price`: there it went from 100 % (100 rows) to 20 % (100 rows).',
    );
  });

  test('does not explain a segment, which it would be itself', () => {
    const segment = { ...place, segment: 'country=IT' };
    const evidence = evidenceOf([mean], {
      before: [point('MEAN', 'mean', 10, segment)],
      after: [point('MEAN', 'mean', 50, segment)],
      segmentMoves,
    });
    expect(evidence).toMatchObject([{ kind: 'DISTRIBUTION' }]);
  });
});

describe('a schema', () => {
  const monitor = predefined('SCHEMA_DRIFTS');
  const removed = (attribute: string, type = 'VARCHAR'): SchemaChange => ({ kind: 'REMOVED', attribute, before: type, after: null });
  const added = (attribute: string, type = 'VARCHAR'): SchemaChange => ({ kind: 'ADDED', attribute, before: null, after: type });
  const scanned = (schemaChanges: readonly SchemaChange[], before: readonly MetricPoint[], after: readonly MetricPoint[]) =>
    evidenceOf([monitor], {
      before: [point('SCHEMA', 'count', 0), ...before],
      after: [point('SCHEMA', 'count', schemaChanges.length), ...after],
      schemaChanges,
    });

  test('proposes the column of the same values as the new name, whatever it is called', () => {
    const evidence = scanned([removed('country'), added('land'), added('countries')], shares('country', { DE: 60, IT: 40 }), [
      ...shares('land', { DE: 61, IT: 39 }),
      ...shares('countries', { red: 50, blue: 50 }),
    ]);
    expect(evidence).toMatchObject([{ kind: 'SCHEMA', renames: [{ before: 'country', after: 'land' }] }]);
    expect(whySentences(evidence)).toEqual([
      expect.stringMatching(/^`country` is gone and `land` is new: likely renamed \(names and values agree by \d+ %\)\.$/),
      '`countries` of type VARCHAR is new.',
    ]);
  });

  test('compares numbers by their quantiles, and names where nothing else is known', () => {
    const numbers = [removed('price', 'DOUBLE'), added('amount_eur', 'DOUBLE')];
    expect(scanned(numbers, statistics('price', 1), statistics('amount_eur', 1.01))).toMatchObject([
      { renames: [{ after: 'amount_eur' }] },
    ]);
    expect(scanned(numbers, statistics('price', 1), statistics('amount_eur', 50))).toMatchObject([{ renames: [] }]);
    expect(scanned([removed('customer_id'), added('CustomerId')], [], [])).toMatchObject([{ renames: [{ similarity: 1 }] }]);
    expect(scanned([removed('customer_id'), added('weather')], [], [])).toMatchObject([{ renames: [] }]);
  });

  test('proposes no column of another kind of data, and each column once', () => {
    expect(scanned([removed('price', 'DOUBLE'), added('price2', 'VARCHAR')], [], [])).toMatchObject([{ renames: [] }]);
    const [evidence] = scanned([removed('name'), removed('names'), added('name_')], [], []);
    expect(evidence).toMatchObject({ renames: [{ before: 'name', after: 'name_' }] });
  });

  test('names are as similar as their letters', () => {
    expect(nameSimilarity('customer_id', 'CustomerID')).toBe(1);
    expect(nameSimilarity('', '')).toBe(1);
    expect(nameSimilarity('abc', 'xyz')).toBe(0);
  });
});
