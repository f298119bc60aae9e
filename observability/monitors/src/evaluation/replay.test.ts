// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import type { SeriesPoint } from '../bands/band.ts';
import { type ReplayRequest, replay } from './replay.ts';
import { bounds, DAY_MS, point, predefined, rule, WatchedAsset } from './testing/watched-asset.ts';

const SCANS = 30;
const FAULT = 20;
const records = (scan: number) => (scan === FAULT ? 400 : 1000 + (scan % 3));
const series = point('RECORD_COUNT', 'count', null);
const past = [
  {
    series,
    points: Array.from({ length: SCANS }, (_, scan): SeriesPoint => ({ timeMs: scan * DAY_MS, value: records(scan), isExcluded: false })),
  },
];

function request(changes: Partial<ReplayRequest> = {}): ReplayRequest {
  const monitor = predefined('RECORD_COUNT_DRIFTS');
  return { monitor, monitors: [monitor], past, parents: [], schemaChanges: new Map(), scansMax: 100, evaluatedMax: 1000, ...changes };
}

describe('the history of a monitor', () => {
  test('is what it would have said scan by scan, newest first', async () => {
    const replayed = await replay(request());
    expect(replayed.filter(({ isViolation }) => isViolation).map(({ timeMs, value }) => [timeMs / DAY_MS, value])).toEqual([[FAULT, 400]]);
    const asset = new WatchedAsset([predefined('RECORD_COUNT_DRIFTS')]);
    const said = Array.from({ length: SCANS }, (_, scan) => asset.scan([{ ...series, value: records(scan) }]).points[0]);
    const bands = said.map((point) => [point?.lower_bound, point?.upper_bound]).filter(([lower]) => lower !== null);
    expect(replayed.toReversed().map(({ band }) => [band.lower, band.upper])).toEqual(bands);
  });

  test('of a static threshold begins with the first scan', async () => {
    const replayed = await replay(request({ monitor: predefined('RECORD_COUNT', { threshold: bounds(1001, null) }) }));
    expect(replayed).toHaveLength(SCANS);
    expect(replayed.filter(({ isViolation }) => isViolation)).toHaveLength(11);
  });

  test('is bounded by scans and by evaluated values', async () => {
    const monitor = predefined('RECORD_COUNT', { threshold: bounds(0, null) });
    expect((await replay(request({ monitor, scansMax: 3 }))).map(({ timeMs }) => timeMs / DAY_MS)).toEqual([29, 28, 27]);
    const twice = [...past, { series: { ...series, segment: 'a=b' }, points: past[0]?.points ?? [] }];
    expect(await replay(request({ monitor, past: twice, evaluatedMax: 5 }))).toHaveLength(4);
    expect(await replay(request({ monitor, past: twice, evaluatedMax: 1 }))).toHaveLength(1);
    expect(await replay(request({ monitor, past: [] }))).toEqual([]);
  });

  test('of the rules leaves out those that their own monitors report', async () => {
    const held = (id: string) => ({
      series: point('CORRECTNESS', 'ratio', null, { attribute: 'a', monitor_id: id }),
      points: past[0]?.points.map((one) => ({ ...one, value: one.timeMs === FAULT * DAY_MS ? 80 : 100 })) ?? [],
    });
    const rules = [rule('7', { threshold: bounds(90, null) }), rule('8', { threshold: bounds(70, null) })];
    const monitor = predefined('DQ_RULES_VIOLATION', { threshold: bounds(95, null) });
    const replayed = await replay(request({ monitor, monitors: [monitor, ...rules], past: [held('7'), held('8')] }));
    const atFault = replayed.filter(({ timeMs }) => timeMs === FAULT * DAY_MS);
    expect(atFault.map(({ series: { monitor_id }, isViolation }) => [monitor_id, isViolation])).toEqual([['8', true]]);
    expect(replayed).toHaveLength(2 * SCANS - 1);
  });

  test('knows the changes of the schema', async () => {
    const counted = [{ series: point('SCHEMA', 'count', null), points: past[0]?.points.map((one) => ({ ...one, value: 0 })) ?? [] }];
    const removed = { kind: 'REMOVED', attribute: 'a', before: 'VARCHAR', after: null } as const;
    const restored = { kind: 'ADDED', attribute: 'a', before: null, after: 'VARCHAR' } as const;
    const schemaChanges = new Map([
      [3 * DAY_MS, [removed]],
      [5 * DAY_MS, [restored]],
    ]);
    const replayed = await replay(request({ monitor: predefined('SCHEMA_DRIFTS'), past: counted, schemaChanges }));
    expect(replayed.filter(({ isViolation }) => isViolation).map(({ timeMs }) => timeMs / DAY_MS)).toEqual([4, 3]);
  });
});
