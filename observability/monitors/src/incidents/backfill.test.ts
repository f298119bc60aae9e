// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RaisedAlert } from './alerts.ts';
import { backfillSteps } from './backfill.ts';
import { type NewestIncident, nextMove } from './incident-machine.ts';
import type { StandingIncident } from './policy-steps.ts';
import { subjectsOf } from './subject.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2025-06-01T00:00:00.000Z');
/** Scans run at midnight and end an hour later. */
const metricTimeMs = (day: number) => START + day * DAY_MS;
const endMs = (day: number) => metricTimeMs(day) + 3_600_000;
const scan = (day: number) => ({ metricTimeMs: metricTimeMs(day), endMs: endMs(day) });

function alert(day: number, violation_name = 'DATA.7'): RaisedAlert {
  return {
    monitor_id: '7',
    series: null,
    metric: { metric_name: 'X', metric_aggregation: 'count', display_metric_name: 'X', segment: null, rule: null, attribute: null },
    type: 'METRIC_DRIFT',
    source: 'a1',
    attribute: '',
    job_id: `j${day}`,
    create_time: new Date(metricTimeMs(day)).toISOString(),
    save_time: new Date(endMs(day)).toISOString(),
    violation_data: {},
    violation_name,
    notification_channels: [],
    is_notification_enabled: false,
    metric_time: new Date(metricTimeMs(day)).toISOString(),
    is_notified: false,
    metric_value: 1,
    policy_name: 'p',
    segment: '',
    priority: 'LOW',
    description: {},
    source_name: 's',
    source_type: 'UPLOAD',
    project_name: 'Default',
    tags: [],
  };
}

const ABOUT_ASSET = subjectsOf([{ attribute: null, rule: null }]);

const shape = (steps: ReturnType<typeof backfillSteps<StandingIncident>>) =>
  steps.flat().map(({ move, alerts }) => [move.state, (move.timeMs - START) / DAY_MS, alerts.map(({ violation_name }) => violation_name)]);

test('[B1] alerts become the incidents that they would have made', () => {
  const alerts = [alert(4, 'b'), alert(1), alert(1, 'a'), alert(2)];
  expect(shape(backfillSteps<StandingIncident>({ alerts, standing: [], scans: [0, 1, 2, 3, 4].map(scan) }))).toEqual([
    ['NEW', 1 + 1 / 24, ['DATA.7', 'a']],
    ['ONGOING', 2 + 1 / 24, ['DATA.7']],
    ['RESOLVED', 3 + 1 / 24, []],
    ['REOPENED', 4 + 1 / 24, ['b']],
  ]);
});

test('[B2] alerts that an incident refers to already are not replayed', () => {
  const standing = [{ status: 'OPEN', lastStepMs: endMs(2), lastUploadMs: metricTimeMs(2), subjects: ABOUT_ASSET } as const];
  const alerts = [alert(1), alert(2), alert(3)];
  expect(shape(backfillSteps<StandingIncident>({ alerts, standing, scans: [] }))).toEqual([['ONGOING', 3 + 1 / 24, ['DATA.7']]]);
});

test('[B1][I2] alerts of another attribute become an incident of their own', () => {
  const of = (day: number, attribute: string): RaisedAlert => {
    const { metric, ...rest } = alert(day, attribute);
    return { ...rest, metric: { ...metric, attribute } };
  };
  const scans = [0, 1, 2].map(scan);
  const steps = backfillSteps<StandingIncident>({ alerts: [of(0, 'date'), of(1, 'distance'), of(2, 'date')], standing: [], scans });
  expect(steps.flat().map(({ move, of: its }) => [move.state, its])).toEqual([
    ['NEW', { kind: 'begun', index: 0 }],
    ['RESOLVED', { kind: 'begun', index: 0 }],
    ['NEW', { kind: 'begun', index: 1 }],
    ['REOPENED', { kind: 'begun', index: 0 }],
    ['RESOLVED', { kind: 'begun', index: 1 }],
  ]);
});

test('[B1][B2] backfilling is what the scans would have done, and a second time it is nothing', () => {
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 90 }), { maxLength: 25 });
  fc.assert(
    fc.property(days, fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }), (given, violated) => {
      const sorted = given.toSorted((one, other) => one - other);
      const alerts = sorted.filter((_, index) => violated[index]).map((day) => alert(day));
      let newest: NewestIncident | undefined;
      let lastUploadMs = 0;
      const expected = sorted.flatMap((day, index) => {
        const move = nextMove(newest, violated[index] === true ? 'violation' : 'no violation', endMs(day));
        if (move === undefined) return [];
        newest = { status: move.state === 'RESOLVED' ? 'CLOSED' : 'OPEN', lastStepMs: move.timeMs };
        if (move.state !== 'RESOLVED') lastUploadMs = metricTimeMs(day);
        return [move];
      });
      const request = { alerts, scans: sorted.map(scan) };
      expect(backfillSteps<StandingIncident>({ ...request, standing: [] }).flatMap((steps) => steps.map(({ move }) => move))).toEqual(
        expected,
      );
      if (newest === undefined) return;
      expect(backfillSteps<StandingIncident>({ ...request, standing: [{ ...newest, lastUploadMs, subjects: ABOUT_ASSET }] })).toEqual([]);
    }),
  );
});
