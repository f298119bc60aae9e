// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { partLosses } from './score-losses.ts';

const NOTHING = { sentence: '', metrics: [], incident_ids: [] };
const metric = (attribute: string, lost: number) => ({
  metric_name: 'COMPLETENESS' as const,
  metric_aggregation: 'ratio',
  attribute,
  monitor_id: null,
  value: 100 - lost,
  lost,
});

test('what attributes lost is shown in points of the score, the most first, and those that lost nothing are left out', () => {
  const metrics = [metric('whole', 0), metric('city', 10), metric('phone', 30)];
  const part = { dimension: 'completeness', value: 60, weight: 0.25, contribution: 15, measured_from: { ...NOTHING, metrics } } as const;
  const losses = partLosses(part);
  expect(losses.points).toBe(10);
  expect(losses.metrics.map(({ attribute, points }) => [attribute, points])).toEqual([
    ['phone', 7.5],
    ['city', 2.5],
  ]);
});

test('a part that is not known lost nothing', () => {
  const part = { dimension: 'accuracy', value: null, weight: 0, contribution: 0, measured_from: NOTHING } as const;
  expect(partLosses(part)).toMatchObject({ points: 0, metrics: [], incidents: [] });
});

test('incidents about freshness are named with the part that they take', () => {
  const part = {
    dimension: 'timeliness',
    value: 0,
    weight: 0.5,
    contribution: 0,
    measured_from: { ...NOTHING, incident_ids: [4] },
  } as const;
  expect(partLosses(part)).toMatchObject({ points: 50, lateIds: [4] });
});
