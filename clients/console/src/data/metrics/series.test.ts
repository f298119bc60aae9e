// SPDX-License-Identifier: Apache-2.0
import type { MetricHistoryItem } from '@sextant/sdk';
import { expect, test } from 'vitest';
import { askedAttribute, ofAttribute } from './queries.ts';
import { attributeTitle, seriesOf, seriesTitle, valueText, vectorsAmong } from './series.ts';

function point(metric: MetricHistoryItem['metric_name'], more: Partial<MetricHistoryItem> = {}): MetricHistoryItem {
  return {
    metric_time: '2026-03-04T06:00:00.000Z',
    job_id: 'j',
    metric_name: metric,
    metric_aggregation: 'count',
    attribute: null,
    segment: null,
    monitor_id: null,
    value: 1,
    lower_bound: null,
    upper_bound: null,
    is_violation: false,
    is_excluded: false,
    ...more,
  };
}

test('what is out of order comes first, then the usual questions in their order', () => {
  const found = seriesOf(
    [point('LENGTH'), point('MEAN'), point('RECORD_COUNT'), point('STDDEV', { is_violation: true }), point('FRESHNESS')],
    [],
  );
  expect(found.map(({ metric }) => metric)).toEqual(['STDDEV', 'RECORD_COUNT', 'FRESHNESS', 'MEAN', 'LENGTH']);
});

test('values are no series of their own, unless one is out of order', () => {
  const values = [
    point('TOP_VALUE', { metric_aggregation: 'a' }),
    point('VALUE_DISTRIBUTION', { metric_aggregation: 'b', is_violation: true }),
  ];
  expect(seriesOf(values, []).map(({ aggregation }) => aggregation)).toEqual(['b']);
});

test.each([
  [{ metric: 'COMPLETENESS', aggregation: 'ratio', isTime: false }, 99.5, '99.5 %'],
  [{ metric: 'FRESHNESS', aggregation: 'max', isTime: false }, 3.25, '3.25 h'],
  [{ metric: 'RECORD_COUNT', aggregation: 'count', isTime: false }, 12345, '12,345'],
  [{ metric: 'MAX', aggregation: 'max', isTime: true }, Date.UTC(2026, 0, 31), '2026-01-31'],
  [{ metric: 'MEAN', aggregation: 'mean', isTime: true }, Date.UTC(2026, 0, 31, 12, 30, 5), '2026-01-31 12:30'],
] as const)('%j says %f as %s', (series, value, text) => {
  expect(valueText(series, value)).toBe(text);
});

test('the unnamed vector has a title and its own values, although its name is the empty text that asks for none', () => {
  const name = { metric: 'VECTOR_ZERO_COUNT', aggregation: 'count', segment: null } as const;
  expect(attributeTitle('')).toBe('the unnamed vector');
  expect(attributeTitle('title')).toBe('title');
  expect(seriesTitle({ ...name, attribute: '' })).toBe('Zero vectors of the unnamed vector');
  expect(askedAttribute('')).toEqual({});
  expect(askedAttribute(null)).toEqual({ attribute: '' });
  expect(askedAttribute('title')).toEqual({ attribute: 'title' });
  const all = [
    point('VECTOR_ZERO_COUNT', { attribute: '' }),
    point('VECTOR_ZERO_COUNT', { attribute: 'title' }),
    point('VECTOR_ZERO_COUNT'),
  ];
  expect(ofAttribute('', all).map(({ attribute }) => attribute)).toEqual(['']);
  expect(ofAttribute('title', all)).toBe(all);
});

test('the vectors of a collection are those that a scan measured, the unnamed one among them', () => {
  const measured = [
    point('RECORD_COUNT'),
    ...['', 'title'].flatMap((attribute) => [
      point('VECTOR_DIMENSION_CONFORMITY', { attribute }),
      point('VECTOR_ZERO_COUNT', { attribute }),
    ]),
    point('VECTOR_DIMENSION_CONFORMITY', { attribute: 'title', segment: 'language=de' }),
    point('PAYLOAD_COMPLETENESS', { attribute: 'body' }),
  ];
  expect(vectorsAmong(measured)).toEqual(['', 'title']);
});
