// SPDX-License-Identifier: Apache-2.0
import type { Level, Monitor } from '@sextant/contracts-observability';
import { describe, expect, test } from 'vitest';
import { checkError } from '../evaluation/check-error.ts';
import { alertsOf, type RaisedViolation } from './alerts.ts';
import { displayMetricName } from './display-names.ts';
import { contentOf } from './incident-content.ts';

const TIME = '2025-06-01T00:00:00.000Z';

const MONITOR: Monitor = {
  id: '7',
  asset_id: 'a1',
  type: 'PREDEFINED_METRIC',
  name: 'Filled',
  enabled: true,
  description: null,
  impact: 'HIGH',
  tags: ['gold', 'core'],
  created_by: 'ada',
  created_at: TIME,
  modified_by: 'ada',
  modified_at: TIME,
  monitor: { predefined_metric: 'COMPLETENESS', attributes: [] },
  threshold: { threshold_type: 'STATIC', threshold1: 95, threshold2: 100, extrapolation_strategy: 'IGNORE', history_limit: 0 },
  notification: { send_notifications: true, notification_channel_names: ['ops'] },
  ticketing: null,
};

const CONTEXT = {
  asset: { id: 'a1', name: 'orders', type: 'S3', tags: ['core', 'sales'] },
  projectName: 'Default',
  job: { id: 'j1', created_at: '2025-05-31T23:00:00.000Z' },
  metricTime: '2025-05-31T23:30:00.000Z',
  saveTime: TIME,
} as const;

const SERIES = {
  metric_name: 'COMPLETENESS',
  metric_aggregation: 'ratio',
  attribute: 'amount',
  segment: null,
  monitor_id: null,
} as const;

function violation(attribute: string | null, priority: Level, change: Partial<RaisedViolation> = {}): RaisedViolation {
  return {
    monitor_id: '7',
    violation_name: `FEATURE.7.${attribute}`,
    type: 'METRIC_DRIFT',
    metric_name: 'COMPLETENESS',
    metric_aggregation: 'ratio',
    attribute,
    segment: null,
    series: SERIES,
    rule: null,
    value: 80,
    band: { lower: 95, upper: 100 },
    priority,
    sentence: `${attribute} is half empty`,
    facts: { history: 20 },
    ...change,
  };
}

test('an alert carries all that people ask of it', () => {
  expect(alertsOf(MONITOR, [violation('amount', 'MEDIUM')], CONTEXT)).toEqual([
    {
      monitor_id: '7',
      series: SERIES,
      metric: {
        metric_name: 'COMPLETENESS',
        metric_aggregation: 'ratio',
        display_metric_name: 'Completeness',
        segment: null,
        rule: null,
        attribute: 'amount',
      },
      type: 'METRIC_DRIFT',
      source: 'a1',
      attribute: 'amount',
      job_id: 'j1',
      create_time: '2025-05-31T23:00:00.000Z',
      save_time: TIME,
      violation_data: {
        history: 20,
        metric_name: 'COMPLETENESS',
        metric_aggregation: 'ratio',
        attribute: 'amount',
        segment: null,
        rule: null,
        value: 80,
        lower_bound: 95,
        upper_bound: 100,
      },
      violation_name: 'FEATURE.7.amount',
      notification_channels: ['ops'],
      is_notification_enabled: true,
      metric_time: '2025-05-31T23:30:00.000Z',
      is_notified: false,
      metric_value: 80,
      policy_name: 'Filled',
      segment: '',
      priority: 'MEDIUM',
      description: { MEDIUM: ['amount is half empty'] },
      source_name: 'orders',
      source_type: 'S3',
      project_name: 'Default',
      tags: ['gold', 'core', 'sales'],
    },
  ]);
});

test('an alert of the whole asset, by a monitor without notification', () => {
  const silent = { ...MONITOR, notification: null, tags: null };
  const [alert] = alertsOf(silent, [violation(null, 'LOW', { segment: 'country=DE' })], CONTEXT);
  expect(alert).toMatchObject({ attribute: '', segment: 'country=DE', notification_channels: [], is_notification_enabled: false });
  expect(alert?.tags).toEqual(['core', 'sales']);
});

test('names that a segment makes very long are cut, and stay different', () => {
  const named = ['x', 'y'].map((end) => violation('a', 'LOW', { violation_name: `s${'🙂'.repeat(5000)}${end}` }));
  const names = alertsOf(MONITOR, named, CONTEXT).map(({ violation_name }) => violation_name);
  expect(names.map((name) => name.length)).toEqual([500, 500]);
  expect(new Set(names).size).toBe(2);
  expect(names.every((name) => name.isWellFormed())).toBe(true);
});

test('[D7] of very many violations the worst 1,000 become alerts', () => {
  const many = Array.from({ length: 1500 }, (_, index) => violation(`c${index}`, index === 1400 ? 'HIGH' : 'LOW'));
  const alerts = alertsOf(MONITOR, many, CONTEXT);
  expect(alerts).toHaveLength(1000);
  expect(alerts[0]).toMatchObject({ attribute: 'c1400' });
  expect(contentOf(alerts, 500).description).toBe('c1400 is half empty. 1499 more violations were found.');
  const beside = alertsOf(
    MONITOR,
    [...many.map((each) => ({ ...each, priority: 'HIGH' as const })), checkError(MONITOR, 'b is gone')],
    CONTEXT,
  );
  expect(beside[0]).toMatchObject({ type: 'CHECK_ERROR', description: { HIGH: ['`Filled` could not be evaluated: b is gone'] } });
});

describe('an incident', () => {
  const alerts = alertsOf(MONITOR, [violation('b', 'LOW'), violation('amount', 'HIGH'), violation('c', 'MEDIUM')], CONTEXT);

  test('[D1] refers to every alert of the step', () => {
    expect(contentOf(alerts).alert_refs).toEqual(
      ['amount', 'c', 'b'].map((name) => ({ metric_time: CONTEXT.metricTime, violation_name: `FEATURE.7.${name}` })),
    );
  });

  test('[D2][D3][D4][D6] is as severe as its worst alert, and says what that one says', () => {
    expect(contentOf(alerts)).toMatchObject({
      severity: 'HIGH',
      description: 'amount is half empty. 2 more violations were found.',
      tags: ['gold', 'core', 'sales'],
      last_upload_timestamp: CONTEXT.metricTime,
      alert_policy_name: 'Filled',
    });
    expect(contentOf(alerts.slice(2))).toMatchObject({ severity: 'LOW', description: 'b is half empty' });
  });

  test('[D5] lists the distinct series of its alerts, with the names that people use', () => {
    const twice = alertsOf(MONITOR, [violation('a', 'LOW'), violation('a', 'LOW', { violation_name: 'again', rule: '' })], CONTEXT);
    expect(contentOf(alertsOf(MONITOR, [violation(null, 'LOW', { rule: 'r' })], CONTEXT)).metrics).toEqual([
      {
        metric_name: 'COMPLETENESS',
        metric_aggregation: 'ratio',
        display_metric_name: 'Completeness',
        segment: null,
        rule: 'r',
        attribute: null,
      },
    ]);
    expect(contentOf(twice).metrics).toHaveLength(2);
    const same = alertsOf(MONITOR, [violation('a', 'LOW'), violation('a', 'LOW', { violation_name: 'again' })], CONTEXT);
    expect(contentOf(same).metrics).toHaveLength(1);
  });
});

test.each([
  ['COMPLETENESS', 'Completeness'],
  ['RECORD_COUNT', 'Record count'],
  ['CONTAINS_PII', 'PII %'],
  ['STDDEV', 'Standard deviation'],
  ['DATA_PROCESS_FAILURE', 'Data process failure'],
])('%s is called %s', (name, words) => {
  expect(displayMetricName(name)).toBe(words);
});
