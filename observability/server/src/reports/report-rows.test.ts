// SPDX-License-Identifier: Apache-2.0
import type { MetricName, MetricPoint, Monitor, RowSample } from '@sextant/contracts-observability';
import { describe, expect, test } from 'vitest';
import { monitorNumber, reportRows, type ScanFindings } from './report-rows.ts';

const NOTHING: ScanFindings = { rows_read: 1000, metrics: [], samples: [], rule_counts: [], checks: [] };

/** Of a scan whose monitors nobody asked. */
const UNSAID = { state: null, reason: null };

function monitor(id: string, change: Partial<Monitor> = {}): Monitor {
  return {
    id,
    asset_id: 'orders',
    type: 'PREDEFINED_METRIC',
    name: id,
    enabled: true,
    description: null,
    impact: null,
    tags: null,
    created_by: 'ada',
    created_at: '2026-03-10T12:00:00.000Z',
    modified_by: 'ada',
    modified_at: '2026-03-10T12:00:00.000Z',
    monitor: { predefined_metric: id, attributes: [] },
    threshold: { threshold_type: 'STATIC', threshold1: 0, threshold2: 100, extrapolation_strategy: 'IGNORE', history_limit: 20 },
    notification: null,
    ticketing: null,
    ...change,
  };
}

const rule = (id: string) =>
  monitor(id, { type: 'RULE', monitor: { expression: 'x', options: { ignore_nulls: false, empty_values: [] }, variables: [] } });

function watching(predefined_metric: string, ...attributes: string[]): Monitor {
  return monitor('9', { monitor: { predefined_metric, attributes } });
}

function point(metric_name: MetricName, attribute: string | null, value: number | null, change: Partial<MetricPoint> = {}): MetricPoint {
  return { metric_name, metric_aggregation: 'ratio', attribute, segment: null, monitor_id: null, value, ...change };
}

const sample = (monitor_id: string | null, record_id: string | null): RowSample => ({ monitor_id, reason: 'r', record_id, row: {} });

function failedOf(one: Monitor, findings: Partial<ScanFindings>) {
  return reportRows([one], { ...NOTHING, ...findings })[0]?.records_failed;
}

describe('a rule', () => {
  test('reports the records that it looked at, those that failed, and ids of them', () => {
    const findings = {
      ...NOTHING,
      rule_counts: [{ monitor_id: '4', checked: 900, failed: 3 }],
      samples: [sample('4', 'a'), sample('4', 'b'), sample('4', 'a'), sample('5', 'c'), sample(null, 'd'), sample('4', null)],
    };
    expect(reportRows([rule('4')], findings)).toEqual([
      { monitor_id: 4, records_failed: 3, records_scanned: 900, record_ids: ['a', 'b'], ...UNSAID },
    ]);
  });

  test('gives at most 100 ids', () => {
    const samples = Array.from({ length: 150 }, (_, id) => sample('4', String(id)));
    const rows = reportRows([rule('4')], { ...NOTHING, samples, rule_counts: [{ monitor_id: '4', checked: 150, failed: 150 }] });
    expect(rows[0]?.record_ids).toHaveLength(100);
  });

  test('that could not be evaluated says why', () => {
    const checks = [{ monitor_id: '4', monitor_name: 'ages', state: 'errored', reason: 'age is gone' } as const];
    expect(reportRows([rule('4')], { ...NOTHING, checks })).toMatchObject([
      { records_failed: null, state: 'errored', reason: 'age is gone' },
    ]);
  });

  test('that could not be measured looked at nothing', () => {
    expect(reportRows([rule('4')], NOTHING)).toEqual([
      { monitor_id: 4, records_failed: null, records_scanned: 0, record_ids: [], ...UNSAID },
    ]);
  });
});

test('the monitor of all rules reports the rule that most records fail, and the ids of all', () => {
  const findings = {
    ...NOTHING,
    rule_counts: [
      { monitor_id: '4', checked: 1000, failed: 3 },
      { monitor_id: '5', checked: 1000, failed: 7 },
    ],
    samples: [sample('4', 'a'), sample('5', 'b')],
  };
  expect(reportRows([monitor('DQ_RULES_VIOLATION')], findings)).toEqual([
    { monitor_id: -5, records_failed: 7, records_scanned: 1000, record_ids: ['a', 'b'], ...UNSAID },
  ]);
});

describe('records that a metric counts one by one', () => {
  const completeness = [
    point('COMPLETENESS', null, 80),
    point('COMPLETENESS', 'city', 97.5),
    point('COMPLETENESS', 'phone', 62.4),
    point('COMPLETENESS', 'phone', 1, { segment: 'country=DE' }),
  ];

  test.each([
    ['without attributes, the emptiest attribute', watching('COMPLETENESS'), 376],
    ['with attributes, the emptiest of them', watching('COMPLETENESS', 'city'), 25],
    ['the pre-built monitor', monitor('COMPLETENESS_DRIFTS'), 376],
    ['an attribute that was not measured', watching('COMPLETENESS', 'gone'), null],
  ])('completeness, %s', (_name, one, failed) => {
    expect(failedOf(one, { metrics: completeness })).toBe(failed);
  });

  test.each([
    ['nulls', watching('NULL_PERCENTAGE', 'city'), [point('NULL_PERCENTAGE', 'city', 2.5)], 25],
    ['empty values', watching('EMPTY_PERCENTAGE', 'city'), [point('EMPTY_PERCENTAGE', 'city', 0.1)], 1],
    ['payload members', watching('PAYLOAD_COMPLETENESS'), [point('PAYLOAD_COMPLETENESS', 'lang', 40)], 600],
    // 200 of 1000 have no value; of 800 values 90 % occur once.
    [
      'values that occur twice',
      watching('UNIQUENESS', 'mail'),
      [point('UNIQUENESS', 'mail', 90), point('NULL_PERCENTAGE', 'mail', 20)],
      80,
    ],
    ['record ids', monitor('RECORD_ID_UNIQUENESS_DRIFTS'), [point('UNIQUENESS', null, 99), point('UNIQUENESS', 'city', 1)], 10],
    ['duplicates', watching('DUPLICATE_COUNT', 'mail'), [point('DUPLICATE_COUNT', 'mail', 12, { metric_aggregation: 'count' })], 12],
    ['vectors that are no numbers', watching('VECTOR_NAN_COUNT'), [point('VECTOR_NAN_COUNT', '', 4, { metric_aggregation: 'count' })], 4],
    // Half of the points have a vector, and 2 % of those another dimension.
    [
      'vectors of another dimension',
      watching('VECTOR_DIMENSION_CONFORMITY'),
      [point('VECTOR_DIMENSION_CONFORMITY', 'text', 98), point('COMPLETENESS', 'text', 50)],
      10,
    ],
  ])('%s', (_name, one, metrics, failed) => {
    expect(failedOf(one, { metrics })).toBe(failed);
  });
});

test.each(['RECORD_COUNT_DRIFTS', 'SCHEMA_DRIFTS', 'UNIQUENESS_DRIFTS', 'FRESHNESS_DRIFTS', 'DATA_PROCESS_FAILURE'])(
  '%s watches the delivery as a whole: no number of records says what is wrong',
  (id) => {
    const metrics = [point('UNIQUENESS', 'city', 1), point('RECORD_COUNT', null, 5)];
    expect(reportRows([monitor(id)], { ...NOTHING, metrics })).toMatchObject([{ records_failed: null, records_scanned: 1000 }]);
  },
);

test('a metric of a tenant has no failed records, and a disabled monitor no row', () => {
  const custom = monitor('3', { type: 'METRIC', monitor: { expression: 'sum(`x`)', options: { ignore_nulls: true }, raw_sql: false } });
  expect(reportRows([custom, monitor('SCHEMA_DRIFTS', { enabled: false })], NOTHING)).toEqual([
    { monitor_id: 3, records_failed: null, records_scanned: 1000, record_ids: [], ...UNSAID },
  ]);
});

test('counts beyond 32 bits are written as the largest', () => {
  const findings = { ...NOTHING, rows_read: 5e9, metrics: [point('NULL_PERCENTAGE', 'city', 100)] };
  expect(reportRows([watching('NULL_PERCENTAGE')], findings)).toMatchObject([
    { records_failed: 2_147_483_647, records_scanned: 2_147_483_647 },
  ]);
});

test.each([
  ['17', 17],
  ['RECORD_COUNT_DRIFTS', -1],
  ['COMPLETENESS_DRIFTS', -4],
  ['DATA_PROCESS_FAILURE', -16],
])('monitor %s has the number %d', (id, number) => {
  expect(monitorNumber(id)).toBe(number);
});
