// SPDX-License-Identifier: Apache-2.0
import type { MetricPoint, Monitor } from '@sextant/contracts-observability';
import { describe, expect, test } from 'vitest';
import { bounds, LEARNED, point, predefined, rule, userMetric, WatchedAsset } from './testing/watched-asset.ts';

/** Enough scans for any model to speak. */
const ENOUGH = 20;

const records = (value: number | null, segment: string | null = null): MetricPoint => point('RECORD_COUNT', 'count', value, { segment });
const completeness = (attribute: string | null, value: number | null, segment: string | null = null): MetricPoint =>
  point('COMPLETENESS', 'ratio', value, { attribute, segment });
const correctness = (monitor_id: string, value: number): MetricPoint =>
  point('CORRECTNESS', 'ratio', value, { attribute: 'a', monitor_id });

/** An asset whose scans so far were all the same. */
function steady(monitors: readonly Monitor[], points: readonly MetricPoint[]): WatchedAsset {
  const asset = new WatchedAsset(monitors);
  asset.repeat(ENOUGH, () => points);
  return asset;
}

describe('verdicts', () => {
  test('[E1] there is one for each enabled monitor, in their order', () => {
    const monitors = [predefined('DQ_RULES_VIOLATION'), predefined('PII_EXPOSURE', { enabled: false }), predefined('RECORD_COUNT_DRIFTS')];
    const { verdicts } = new WatchedAsset(monitors).scan([records(1)]);
    expect(verdicts.map(({ monitor, outcome }) => [monitor.id, outcome])).toEqual([
      ['DQ_RULES_VIOLATION', 'unknown'],
      ['RECORD_COUNT_DRIFTS', 'unknown'],
    ]);
  });

  test('[E1] a scan as all before it is clear, one that lost its rows is not', () => {
    const asset = steady([predefined('RECORD_COUNT_DRIFTS')], [records(1000)]);
    expect(asset.evaluate([records(1001)]).outcome).toBe('clear');
    const { outcome, violations } = asset.evaluate([records(700)]);
    expect(outcome).toBe('violated');
    expect(violations).toMatchObject([{ type: 'METRIC_DRIFT', metric_name: 'RECORD_COUNT', value: 700, priority: 'HIGH' }]);
    expect(violations[0]?.sentence).toMatch(/^record count is 700, expected \d+ to \d+$/);
  });

  test('[E2] learned thresholds need history, static ones none', () => {
    const asset = new WatchedAsset([
      predefined('RECORD_COUNT_DRIFTS'),
      predefined('1', { monitor: { predefined_metric: 'RECORD_COUNT', attributes: [] }, threshold: bounds(10, null) }),
    ]);
    const { verdicts } = asset.scan([records(9)]);
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['unknown', 'violated']);
    expect(verdicts[1]?.violations[0]).toMatchObject({ type: 'THRESHOLD_BREACH', band: { lower: 10, upper: null } });
  });

  test.each([
    ['IGNORE', 'unknown', []],
    ['ZERO', 'violated', [0]],
    ['AVERAGE', 'clear', []],
  ] as const)('[E3] a value that is missing is evaluated as %s says', (extrapolation_strategy, outcome, values) => {
    const monitor = predefined('RECORD_COUNT_DRIFTS', { threshold: { ...LEARNED, extrapolation_strategy } });
    for (const missing of [[], [records(null)]]) {
      const verdict = steady([monitor], [records(1000)]).evaluate(missing);
      expect(verdict.outcome).toBe(outcome);
      expect(verdict.violations.map(({ value }) => value)).toEqual(values);
      for (const { sentence, facts, series } of verdict.violations) {
        expect(sentence).toMatch(/^record count is missing and counts as 0, expected/);
        expect([facts.is_extrapolated, series]).toEqual([true, null]);
      }
    }
  });

  test('[E3] what was never measured is not missing', () => {
    const monitor = predefined('RECORD_COUNT_DRIFTS', { threshold: { ...bounds(1, null), extrapolation_strategy: 'ZERO' } });
    expect(new WatchedAsset([monitor]).evaluate([records(null)]).outcome).toBe('unknown');
  });

  test('[E4] points carry the band that they were compared with, that of a violation first', () => {
    const watching = { predefined_metric: 'RECORD_COUNT', attributes: [] };
    const asset = new WatchedAsset([
      predefined('RECORD_COUNT', { threshold: bounds(100, null) }),
      predefined('1', { monitor: watching, threshold: bounds(10, null) }),
      predefined('2', { monitor: watching, threshold: bounds(5, null) }),
    ]);
    const bandOf = (value: number) => asset.scan([records(value), records(1, 'a=b')]).points[0];
    expect(bandOf(200)).toMatchObject({ value: 200, lower_bound: 5, upper_bound: null, is_violation: false });
    expect(bandOf(50)).toMatchObject({ lower_bound: 100, is_violation: true });
    expect(bandOf(7)).toMatchObject({ lower_bound: 10, is_violation: true });
  });
});

describe('what monitors watch', () => {
  test('[E6] a metric without attributes is that of the whole asset, with attributes theirs', () => {
    const scan = [completeness(null, 50), completeness('a', 20), completeness('b', 80)];
    const watching = (attributes: readonly string[]) => predefined('COMPLETENESS', { attributes, threshold: bounds(90, null) });
    const attributes = (monitor: Monitor) => new WatchedAsset([monitor]).evaluate(scan).violations.map(({ attribute }) => attribute);
    expect(attributes(watching([]))).toEqual([null]);
    expect(attributes(watching(['b']))).toEqual(['b']);
    expect(new WatchedAsset([watching(['c'])]).evaluate(scan)).toMatchObject({
      outcome: 'errored',
      reason: 'the scan measured nothing of c',
    });
    expect(attributes(predefined('MEAN', { threshold: bounds(0, 1) }))).toEqual([]);
    expect(attributes(predefined('COMPLETENESS_DRIFTS', { threshold: bounds(90, null) }))).toEqual(['a', 'b']);
    expect(attributes(predefined('COMPLETENESS_DRIFTS', { attributes: ['a'], threshold: bounds(90, null) }))).toEqual(['a']);
  });

  test('[E6] a metric that no asset has as a whole is that of all attributes', () => {
    const monitor = predefined('MEAN', { threshold: bounds(0, 1) });
    const scan = ['a', 'b'].map((attribute) => point('MEAN', 'mean', 2, { attribute }));
    expect(new WatchedAsset([monitor]).evaluate(scan).violations.map(({ attribute }) => attribute)).toEqual(['a', 'b']);
  });

  test('[E7] user metrics and rules watch their own points, each segment for itself', () => {
    const custom = (monitor_id: string, value: number, segment: string | null) => point('CUSTOM', 'value', value, { monitor_id, segment });
    const asset = new WatchedAsset([userMetric('7', { threshold: bounds(0, 10) }), rule('8', { threshold: bounds(90, null) })]);
    const { verdicts } = asset.scan([
      custom('7', 5, 'c=x'),
      custom('7', 11, 'c=y'),
      custom('9', 99, 'c=y'),
      correctness('8', 89),
      correctness('9', 1),
    ]);
    expect(verdicts.map(({ violations }) => violations.map(({ violation_name, sentence }) => [violation_name, sentence]))).toEqual([
      [['DATA.7.segment=c=y', '`metric 7` where c=y is 11, expected 0 to 10']],
      [['FEATURE.8.a', 'correctness of `rule 8` is 89 %, expected at least 90 %']],
    ]);
    expect(verdicts[1]?.violations[0]).toMatchObject({ type: 'RULE_VIOLATION', rule: 'rule 8', priority: 'HIGH' });
  });

  test('[E8] a rule is reported once: by its own monitor, or by that of all rules', () => {
    const monitors = [predefined('DQ_RULES_VIOLATION'), rule('8', { threshold: bounds(90, null) })];
    const asset = steady(monitors, [correctness('8', 100), correctness('deleted', 100)]);
    const outcomes = (value: number) =>
      asset.scan([correctness('8', value), correctness('deleted', value)]).verdicts.map(({ outcome }) => outcome);
    expect(outcomes(100)).toEqual(['clear', 'clear']);
    expect(outcomes(95)).toEqual(['violated', 'clear']);
    expect(outcomes(80)).toEqual(['unknown', 'violated']);
  });

  test('[E12] a rule that always held is broken by one record, one that often fails by more', () => {
    const violated = (usual: (index: number) => number, now: number) => {
      const asset = new WatchedAsset([rule('8')]);
      asset.repeat(ENOUGH, (index) => [records(10_000), correctness('8', usual(index))]);
      return asset.evaluate([records(10_000), correctness('8', now)]).outcome;
    };
    expect(violated(() => 100, 99.99)).toBe('violated');
    expect(violated((index) => 95 + (index % 3) / 10, 94.8)).toBe('clear');
    expect(violated((index) => 95 + (index % 3) / 10, 99)).toBe('clear');
    expect(violated((index) => 95 + (index % 3) / 10, 88)).toBe('violated');
  });

  test('[E12] a column that was always complete is reported as soon as sampling does not explain what is missing', () => {
    const outcome = (usual: (index: number) => number, now: number) => {
      const scan = (value: number) => [records(100_000), point('COMPLETENESS', 'ratio', value, { attribute: 'a' })];
      const asset = new WatchedAsset([predefined('COMPLETENESS_DRIFTS')]);
      asset.repeat(ENOUGH, (index) => scan(usual(index)));
      return asset.evaluate(scan(now)).outcome;
    };
    expect(outcome(() => 100, 99.9)).toBe('violated');
    expect(outcome(() => 100, 99.97)).toBe('clear');
    expect(outcome((index) => 100 - (index % 3) / 10, 99.75)).toBe('clear');
  });

  test('[E12] the first vector that is not a number is reported', () => {
    const scan = (broken: number) => [records(100_000), point('VECTOR_NAN_COUNT', 'count', broken, { attribute: 'v' })];
    const asset = steady([predefined('DATA_DRIFTS')], scan(0));
    expect(asset.evaluate(scan(1)).violations).toMatchObject([{ attribute: 'v', priority: 'HIGH', band: { lower: null, upper: 0 } }]);
  });

  test.each([
    ['COMPLETENESS_DRIFTS', point('PAYLOAD_COMPLETENESS', 'ratio', 99, { attribute: 'title' }), 80, 100],
    ['COMPLETENESS_DRIFTS', point('COMPLETENESS', 'ratio', 99, { attribute: 'v' }), 80, 100],
    ['COMPLETENESS_DRIFTS', point('INDEX_COVERAGE', 'ratio', 100), 80, 97],
    ['UNIQUENESS_DRIFTS', point('VECTOR_DUPLICATE_COUNT', 'count', 50, { attribute: 'v' }), 4000, 0],
    ['DATA_DRIFTS', point('VECTOR_DIMENSION_CONFORMITY', 'ratio', 100, { attribute: 'v' }), 99, 100],
    ['DATA_DRIFTS', point('VECTOR_INFINITE_COUNT', 'count', 0, { attribute: 'v' }), 3, 0],
    ['DATA_DRIFTS', point('VECTOR_ZERO_COUNT', 'count', 0, { attribute: 'v' }), 3, 0],
    ['NUMERIC_VALUE_DRIFTS', point('VECTOR_NORM', 'mean', 1, { attribute: 'v' }), 2, 1],
    ['VALUE_DISTRIBUTION_DRIFTS', point('CENTROID_SHIFT', 'cosine', 0.001, { attribute: 'v' }), 0.3, 0],
    ['VALUE_DISTRIBUTION_DRIFTS', point('CENTROID_SHIFT', 'euclid', 0.01, { attribute: 'v' }), 3, 0],
    ['DATA_DRIFTS', point('VECTOR_CONSTANT_COUNT', 'count', 0, { attribute: 'v' }), 3, 0],
    ['VECTOR_DRIFTS', point('VECTOR_TRUNCATED_COUNT', 'count', 0, { attribute: 'v' }), 3, 0],
    ['VECTOR_DRIFTS', point('VECTOR_FAR_SHARE', 'ratio', 0.2, { attribute: 'v' }), 1.2, 0.3],
    ['VECTOR_DRIFTS', point('VECTOR_NORM_OUTLIER_SHARE', 'ratio', 0.1, { attribute: 'v' }), 1.1, 0],
    ['VECTOR_DRIFTS', point('VECTOR_INPUT_NORM_OUTLIER_SHARE', 'ratio', 0, { attribute: 'v' }), 4, 0.1],
    ['VECTOR_DRIFTS', point('VECTOR_ROUNDED_SHARE', 'ratio', 0, { attribute: 'v' }), 1, 0.1],
    ['VECTOR_DRIFTS', point('VECTOR_NEAR_DUPLICATE_SHARE', 'ratio', 0, { attribute: 'v' }), 1, 0.1],
    ['VECTOR_DRIFTS', point('VECTOR_NEAR_DUPLICATE_SHARE', 'new', 0.2, { attribute: 'v' }), 2, 0.3],
    ['VECTOR_DRIFTS', point('VECTOR_TEXT_MISMATCH_SHARE', 'ratio', 0.1, { attribute: 'v' }), 1, 0.2],
    ['VECTOR_DRIFTS', point('VECTOR_TEXT_AGREEMENT', 'median', 0.9, { attribute: 'v' }), 0.8, 0.95],
    ['VECTOR_DRIFTS', point('VECTOR_CELL_SHIFT', 'lost', 0.03, { attribute: 'v' }), 0.1, 0.01],
    ['SEARCH_RECALL_DRIFTS', point('SEARCH_RECALL', 'ratio', 100, { attribute: 'v' }), 99, 99.6],
    ['SEARCH_RECALL_DRIFTS', point('SEARCH_RECALL', 'filtered', 98, { attribute: 'v' }), 96, 100],
  ])('%s watches %o of a vector collection', (name, usual, bad, good) => {
    const compared = [
      records(10_000),
      point('VECTOR_SAMPLE_COUNT', 'count', 4000, { attribute: 'v' }),
      point('VECTOR_INPUT_NORM', 'count', 800, { attribute: 'v' }),
    ];
    const asset = steady([predefined(name)], [...compared, usual]);
    expect(asset.evaluate([...compared, { ...usual, value: good }]).outcome).toBe('clear');
    expect(asset.evaluate([...compared, { ...usual, value: bad }]).violations).toMatchObject([
      { metric_name: usual.metric_name, value: bad },
    ]);
  });

  test.each(['VECTOR_NAN_COUNT', 'VECTOR_INFINITE_COUNT', 'VECTOR_ZERO_COUNT', 'VECTOR_CONSTANT_COUNT'] as const)(
    '[E2] %s is a fault from the first scan on, until it is what is usual',
    (metric) => {
      const scan = (value: number) => [records(1000), point(metric, 'count', value, { attribute: 'v' })];
      expect(new WatchedAsset([predefined('DATA_DRIFTS')]).evaluate(scan(0)).outcome).toBe('clear');
      const asset = new WatchedAsset([predefined('DATA_DRIFTS')]);
      expect(asset.evaluate(scan(4)).violations).toMatchObject([{ metric_name: metric, value: 4, priority: 'HIGH' }]);
      asset.repeat(4, () => scan(4));
      expect(asset.evaluate(scan(4)).outcome).toBe('clear');
    },
  );

  test('[E30] the interval of a recall, how many vectors were compared and how many have a text are reported and not watched', () => {
    const scan = (value: number) => [
      records(1000),
      ...['lower', 'upper'].map((aggregation) => point('SEARCH_RECALL', aggregation, value, { attribute: 'v' })),
      point('VECTOR_SAMPLE_COUNT', 'count', 10 * value, { attribute: 'v' }),
      point('VECTOR_TEXT_MEMBER', 'set:body', value, { attribute: 'v' }),
    ];
    const asset = steady([predefined('SEARCH_RECALL_DRIFTS'), predefined('VECTOR_DRIFTS')], scan(99));
    expect(asset.scan(scan(10)).verdicts.flatMap(({ violations }) => violations)).toEqual([]);
  });

  test.each(['DATA_DIFFERENCE', 'DATA_PROCESS_FAILURE'])('%s is not decided by a scan', (name) => {
    expect(new WatchedAsset([predefined(name)]).evaluate([records(1)]).outcome).toBe('unknown');
  });

  test.each([
    ['COMPLETENESS', 'ratio', 90, 99, 50],
    ['UNIQUENESS', 'ratio', 90, 99, 50],
    ['CONTAINS_PII', 'ratio', 10, 1, 50],
  ] as const)('only the bad side of %s is reported', (metric, aggregation, usual, better, worse) => {
    const scan = (value: number) => [records(1000), point(metric, aggregation, value, { attribute: 'a' })];
    const asset = steady([predefined(metric, { attributes: ['a'] })], scan(usual));
    expect(asset.evaluate(scan(better)).outcome).toBe('clear');
    expect(asset.evaluate(scan(worse)).outcome).toBe('violated');
  });
});

describe('numbers of attributes', () => {
  const numbers = (shift: number, changes: { readonly [aggregation: string]: number } = {}): readonly MetricPoint[] => {
    const values = { min: 0, max: 100, mean: 50, stddev: 20, median: 50, p05: 10, p25: 30, p75: 70, p95: 90, ...changes };
    const metrics = { min: 'MIN', max: 'MAX', mean: 'MEAN', stddev: 'STDDEV', median: 'MEDIAN' } as const;
    const moved = Object.entries(values).map(([aggregation, value]) =>
      point(metrics[aggregation as keyof typeof metrics] ?? 'QUANTILE', aggregation, value + (aggregation === 'stddev' ? 0 : shift), {
        attribute: 'a',
      }),
    );
    return [records(5000), point('DISTINCT_COUNT', 'count', 5000, { attribute: 'a' }), ...moved];
  };

  test('[E18] an attribute whose numbers moved is reported once, with the others as facts', () => {
    const asset = steady([predefined('NUMERIC_VALUE_DRIFTS')], numbers(0));
    const { violations } = asset.evaluate(numbers(30));
    expect(violations.map(({ violation_name }) => violation_name)).toEqual(['FEATURE.NUMERIC_VALUE_DRIFTS.a']);
    expect(violations[0]?.facts.also).toHaveLength(5);
  });

  test('[E11] less than a tenth of the deviation is no news', () => {
    expect(steady([predefined('NUMERIC_VALUE_DRIFTS')], numbers(0)).evaluate(numbers(1.5)).outcome).toBe('clear');
  });

  test('[E14] a quantile that jumps alone is no news, for who watches all numbers', () => {
    expect(steady([predefined('NUMERIC_VALUE_DRIFTS')], numbers(0)).evaluate(numbers(0, { p05: 25 })).outcome).toBe('clear');
    expect(steady([predefined('QUANTILE')], numbers(0)).evaluate(numbers(0, { p05: 25 })).outcome).toBe('violated');
  });

  test('extremes are news outwards only', () => {
    const asset = steady([predefined('NUMERIC_VALUE_DRIFTS')], numbers(0));
    expect(asset.evaluate(numbers(0, { max: 60, min: 40 })).outcome).toBe('clear');
    expect(asset.evaluate(numbers(0, { max: 9999 })).violations).toMatchObject([{ metric_name: 'MAX', value: 9999 }]);
    expect(asset.evaluate(numbers(0, { min: -9999 })).violations).toMatchObject([{ metric_name: 'MIN', value: -9999 }]);
  });
});

describe('segments', () => {
  const scan = (whole: number, first: number, second: number) => [
    records(10_000),
    records(5000, 's=1'),
    records(5000, 's=2'),
    completeness('a', whole),
    completeness('a', first, 's=1'),
    completeness('a', second, 's=2'),
  ];

  test('[E18] a fault of the whole is reported once, a fault of one segment for the segment', () => {
    const asset = steady([predefined('COMPLETENESS_DRIFTS')], scan(99, 99, 99));
    const [whole, ...others] = asset.evaluate(scan(70, 70, 70)).violations;
    expect([whole?.violation_name, others]).toEqual(['FEATURE.COMPLETENESS_DRIFTS.a', []]);
    expect(whole?.facts.segments).toEqual(['s=1', 's=2']);
    const { violations } = steady([predefined('COMPLETENESS_DRIFTS')], scan(99, 99, 99)).evaluate(scan(99, 99, 60));
    expect(violations.map(({ violation_name, segment }) => [violation_name, segment])).toEqual([
      ['FEATURE.COMPLETENESS_DRIFTS.a.segment=s=2', 's=2'],
    ]);
    expect(violations[0]?.sentence).toMatch(/^completeness of `a` where s=2 is 60 %, expected at least 9/);
  });
});

describe('schema drifts', () => {
  const scan = [point('SCHEMA', 'count', 0)];
  const renamed = [
    { kind: 'ADDED', attribute: 'b', before: null, after: 'VARCHAR' },
    { kind: 'REMOVED', attribute: 'a', before: 'VARCHAR', after: null },
  ] as const;
  const restored = [
    { kind: 'ADDED', attribute: 'a', before: null, after: 'VARCHAR' },
    { kind: 'REMOVED', attribute: 'b', before: 'VARCHAR', after: null },
  ] as const;

  test('[E15] are unknown at the first scan and reported from the second', () => {
    const asset = new WatchedAsset([predefined('SCHEMA_DRIFTS')]);
    expect(asset.evaluate(scan).outcome).toBe('unknown');
    expect(asset.evaluate(scan).outcome).toBe('clear');
    expect(asset.evaluate(scan, renamed).violations).toMatchObject([
      {
        violation_name: 'FEATURE.SCHEMA_DRIFTS.b',
        type: 'SCHEMA_CHANGE',
        priority: 'HIGH',
        value: 2,
        sentence: 'column `b` of type VARCHAR is new',
      },
      { violation_name: 'FEATURE.SCHEMA_DRIFTS.a', sentence: 'column `a` of type VARCHAR is gone' },
    ]);
  });

  test('[E15] last until the scan that undoes them', () => {
    const asset = new WatchedAsset([predefined('SCHEMA_DRIFTS')]);
    asset.repeat(2, () => scan);
    const reported = asset.evaluate(scan, renamed).violations;
    expect(reported).toHaveLength(2);
    expect(asset.evaluate(scan).violations).toEqual(reported);
    expect(asset.evaluate(scan, restored).outcome).toBe('clear');
    expect(asset.evaluate(scan).outcome).toBe('clear');
  });

  test('[E15] are accepted when they stayed for three scans, and so is the way back', () => {
    const asset = new WatchedAsset([predefined('SCHEMA_DRIFTS')]);
    asset.repeat(2, () => scan);
    const outcomes = [renamed, [], [], [], [], restored, []].map((changes) => asset.evaluate(scan, changes).outcome);
    expect(outcomes).toEqual(['violated', 'violated', 'violated', 'clear', 'clear', 'clear', 'clear']);
  });

  test('[E15] are reported as what they come to: a column of another type that came back as such', () => {
    const asset = new WatchedAsset([predefined('SCHEMA_DRIFTS')]);
    asset.repeat(2, () => scan);
    asset.evaluate(scan, [{ kind: 'REMOVED', attribute: 'a', before: 'VARCHAR', after: null }]);
    const { violations } = asset.evaluate(scan, [{ kind: 'ADDED', attribute: 'a', before: null, after: 'BIGINT' }]);
    expect(violations.map(({ sentence }) => sentence)).toEqual(['column `a` changed its type from VARCHAR to BIGINT']);
  });

  test('[E15] of a column that comes and goes are reported whenever it is gone', () => {
    const asset = new WatchedAsset([predefined('SCHEMA_DRIFTS')]);
    asset.repeat(2, () => scan);
    const outcomes = [0, 1, 2, 3, 4, 5].map((number) => asset.evaluate(scan, number % 2 === 0 ? renamed : restored).outcome);
    expect(outcomes).toEqual(['violated', 'clear', 'violated', 'clear', 'violated', 'clear']);
  });

  test('[E15] of a new column whose type is read again each time are accepted as any other', () => {
    const asset = new WatchedAsset([predefined('SCHEMA_DRIFTS')]);
    asset.repeat(2, () => scan);
    const types = ['BIGINT', 'DOUBLE', 'BIGINT', 'DOUBLE'];
    const outcomes = types.map((after, index) => {
      const before = types[index - 1] ?? null;
      return asset.evaluate(scan, [{ kind: before === null ? 'ADDED' : 'RETYPED', attribute: 'n', before, after }]).outcome;
    });
    expect(outcomes).toEqual(['violated', 'violated', 'violated', 'clear']);
  });

  test.each([
    ['BIGINT', 'DOUBLE', 'clear'],
    ['integer|null', 'integer', 'clear'],
    ['DATE', 'TIMESTAMP', 'clear'],
    ['VARCHAR', 'BIGINT', 'violated'],
    ['BIGINT', 'VARCHAR', 'violated'],
    ['integer', 'integer|string', 'violated'],
    ['BOOLEAN', 'BIGINT', 'violated'],
  ] as const)('[E15] a type that goes from %s to %s is %s', (before, after, outcome) => {
    const asset = new WatchedAsset([predefined('SCHEMA_DRIFTS')]);
    asset.evaluate(scan);
    expect(asset.evaluate(scan, [{ kind: 'RETYPED', attribute: 'a', before, after }]).outcome).toBe(outcome);
  });

  test('[E17] a stated number of changes is fine', () => {
    const asset = new WatchedAsset([predefined('SCHEMA_DRIFTS', { threshold: bounds(null, 2) })]);
    asset.evaluate(scan);
    expect(asset.evaluate(scan, renamed).outcome).toBe('clear');
  });

  test('restricted to attributes, those of others are none', () => {
    const asset = new WatchedAsset([predefined('SCHEMA_DRIFTS', { attributes: ['a'] })]);
    asset.evaluate(scan);
    expect(asset.evaluate(scan, renamed).violations.map(({ attribute }) => attribute)).toEqual(['a']);
  });
});
