// SPDX-License-Identifier: Apache-2.0
import type { PreviewedPoint } from '@sextant/sdk';
import { describe, expect, test } from 'vitest';
import { previewAlerts, previewSentence, previewSeries } from './preview.ts';

const METRIC = { type: 'PREDEFINED_METRIC', metric: 'COMPLETENESS_DRIFTS' } as const;

function point(day: number, members: Partial<PreviewedPoint> = {}): PreviewedPoint {
  return {
    metric_time: new Date(Date.UTC(2026, 0, day)).toISOString(),
    metric_name: 'COMPLETENESS',
    metric_aggregation: 'ratio',
    attribute: 'a',
    segment: null,
    monitor_id: null,
    value: 90,
    lower_bound: 95,
    upper_bound: null,
    is_violation: false,
    ...members,
  };
}

const out = { is_violation: true };

describe('alerts of a preview', () => {
  test.each([
    ['nothing out of order', [point(1), point(2)], 0],
    ['several numbers of one attribute are one alert', [point(1, out), point(1, { ...out, metric_name: 'NULL_PERCENTAGE' })], 1],
    ['segments of what is out as a whole are part of it', [point(1, out), point(1, { ...out, segment: 'r=EU' })], 1],
    ['segments alone are alerts of their own', [point(1), point(1, { ...out, segment: 'r=EU' }), point(1, { ...out, segment: 'r=US' })], 2],
    ['attributes are alerts of their own', [point(1, out), point(1, { ...out, attribute: 'b' })], 2],
    ['rules of one attribute are alerts of their own', [point(1, { ...out, monitor_id: '1' }), point(1, { ...out, monitor_id: '2' })], 2],
    ['scans are alerts of their own', [point(1, out), point(2, out), point(3)], 2],
  ])('%s', (_, history, count) => {
    expect(previewAlerts(history)).toHaveLength(count);
  });

  test('come newest first', () => {
    expect(previewAlerts([point(1, out), point(3, out), point(2, out)]).map(({ time }) => time.slice(8, 10))).toEqual(['03', '02', '01']);
  });
});

describe('the sentence of a preview', () => {
  test.each([
    [[point(1), point(2)], METRIC, 'Would have raised no alert in 2 scans'],
    [[point(1, out)], METRIC, 'Would have raised 1 alert in 1 scan'],
    [[point(1, out), point(2, out), point(2, { attribute: 'b' })], METRIC, 'Would have raised 2 alerts in 2 scans'],
    [[point(1, out), point(2)], { ...METRIC, metric: 'SCHEMA_DRIFTS' }, 'Would have raised alerts at 1 of 2 scans'],
    // What a rule has as its hidden metric says nothing.
    [[point(1, out)], { type: 'RULE', metric: 'SCHEMA' }, 'Would have raised 1 alert in 1 scan'],
  ] as const)('case %#', (history, form, sentence) => {
    expect(previewSentence(history, form)).toBe(sentence);
  });
});

describe('series of a preview', () => {
  test('violated ones first, of these the whole, points oldest first', () => {
    const history = [
      point(2, { attribute: 'calm' }),
      point(2, { ...out, segment: 'r=EU' }),
      point(2, out),
      point(1),
      point(1, { segment: 'r=EU' }),
    ];
    expect(
      previewSeries(history).map(({ attribute, segment, violations, points }) => [attribute, segment, violations, points.length]),
    ).toEqual([
      ['a', null, 1, 2],
      ['a', 'r=EU', 1, 2],
      ['calm', null, 0, 1],
    ]);
    expect(previewSeries(history)[0]?.points.map(({ metric_time }) => metric_time.slice(8, 10))).toEqual(['01', '02']);
  });
});
