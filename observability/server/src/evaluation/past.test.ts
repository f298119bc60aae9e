// SPDX-License-Identifier: Apache-2.0
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EvaluationFixture, openEvaluationFixture } from '../testing/evaluation-fixture.ts';
import { historyIn, newestSeries, pack, readPast } from './past.ts';

const MINUTE_MS = 60_000;
const SERIES = { metric_name: 'MEAN', metric_aggregation: 'mean', attribute: 'a', segment: null, monitor_id: null } as const;
const OTHER = { ...SERIES, attribute: null } as const;
const ODD = { ...SERIES, attribute: '', segment: 'x=1' } as const;

let directory: TemporaryDirectory;
let fixture: EvaluationFixture;
let assetId: string;

const SCANS = 40;
const POINTS = 30;

beforeAll(async () => {
  directory = await temporaryDirectory();
  fixture = await openEvaluationFixture(directory.path);
  ({ id: assetId } = await fixture.newAsset('wide'));
  const { id: job_id } = await fixture.tenant.jobs.enqueue({ asset_id: assetId, request: {}, whenBusy: 'refuse' });
  for (let scan = 0; scan < SCANS; scan++) {
    fixture.clock.advance(MINUTE_MS);
    const points = Array.from({ length: POINTS }, (_, index) => ({ ...SERIES, attribute: `c${index}`, value: scan }));
    const metric_time = new Date(fixture.clock.nowMs()).toISOString();
    await fixture.tenant.metricPoints.append({ asset_id: assetId, job_id, metric_time, points });
  }
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const valuesOf = async (pointsMax: number, before?: string) => {
  const past = await readPast(fixture.tenant, assetId, { pointsPerScan: POINTS, pointsMax, ...(before === undefined ? {} : { before }) });
  return historyIn(past)({ ...SERIES, attribute: 'c7' }).map(({ value }) => value);
};

test('the newest scans are remembered, oldest first, as many as the bound allows', async () => {
  const all = Array.from({ length: SCANS }, (_, scan) => scan);
  expect(await valuesOf(1_000_000)).toEqual(all);
  expect(await valuesOf(POINTS * 12)).toEqual(all.slice(-12));
  // However large a scan is, a drift needs two of them.
  expect(await valuesOf(1)).toEqual(all.slice(-2));
});

test('only scans before a time count', async () => {
  const before = new Date(fixture.clock.nowMs() - 2 * MINUTE_MS).toISOString();
  expect((await valuesOf(1_000_000, before)).at(-1)).toBe(SCANS - 4);
});

test('an asset without scans has no past', async () => {
  const { id } = await fixture.newAsset('new');
  const past = await readPast(fixture.tenant, id, { pointsPerScan: 10, pointsMax: 100 });
  expect(historyIn(past)(SERIES)).toEqual([]);
  expect(newestSeries(past, 1)).toEqual([]);
});

test('what is packed comes out as it was', () => {
  const point = (timeMs: number, value: number | null, isExcluded = false, isExpected = false) => ({
    timeMs,
    value,
    isExcluded,
    isExpected,
  });
  const past = pack([
    [
      { ...SERIES, points: [point(1, 5), point(2, null)] },
      { ...OTHER, points: [point(2, 0)] },
    ],
    [
      { ...ODD, points: [point(4, -1, false, true)] },
      { ...SERIES, points: [point(3, 7, true), point(4, 8)] },
    ],
  ]);
  const history = historyIn(past);
  expect(history(SERIES)).toEqual([point(1, 5), point(2, null), point(3, 7, true), point(4, 8)]);
  expect(history(OTHER)).toEqual([point(2, 0)]);
  expect(history(ODD)).toEqual([point(4, -1, false, true)]);
  expect(history({ ...SERIES, monitor_id: '1' })).toEqual([]);
  expect(newestSeries(past, 1)).toEqual([SERIES, ODD]);
  expect(newestSeries(past, 3)).toEqual(past.series);
});
