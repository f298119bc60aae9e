// SPDX-License-Identifier: Apache-2.0
import type { SchemaChange } from '@sextant/contracts-observability';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import type { SeriesKey } from '@sextant/observability-monitors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EvaluationFixture, openEvaluationFixture } from '../testing/evaluation-fixture.ts';
import { loadEvaluationInput, requestOf } from './evaluation-input.ts';

const HOUR_MS = 3_600_000;
const RECORD_COUNT: SeriesKey = {
  metric_name: 'RECORD_COUNT',
  metric_aggregation: 'count',
  attribute: null,
  segment: null,
  monitor_id: null,
};

let directory: TemporaryDirectory;
let fixture: EvaluationFixture;

beforeAll(async () => {
  directory = await temporaryDirectory();
  fixture = await openEvaluationFixture(directory.path);
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

async function scanned(id: string): Promise<number> {
  fixture.clock.advance(HOUR_MS);
  await fixture.finish(await fixture.claim(id));
  return fixture.clock.nowMs();
}

async function requestFor(id: string) {
  fixture.clock.advance(HOUR_MS);
  const metric_time = new Date(fixture.clock.nowMs()).toISOString();
  const scan = {
    details: '',
    metric_time,
    metrics: [{ ...RECORD_COUNT, value: 12 }],
    rows_read: 12,
    schema_changes: [],
    samples: [],
    memory: null,
    rule_counts: [],
    segment_moves: [],
    failures: [],
    columns: undefined,
    options: {},
  };
  return requestOf(await loadEvaluationInput(fixture.tenant, id, scan));
}

test('the monitors that are on are evaluated, but those that watch the process', async () => {
  const { id } = await fixture.newAsset('orders');
  await fixture.tenant.monitors.update(id, 'SCHEMA_DRIFTS', { enabled: false, modified_by: 'ada' });
  const evaluated = (await requestFor(id)).monitors.map((monitor) => monitor.id);
  expect(evaluated).toContain('COMPLETENESS_DRIFTS');
  for (const other of ['SCHEMA_DRIFTS', 'PII_EXPOSURE', 'DATA_PROCESS_FAILURE']) expect(evaluated).not.toContain(other);
});

test('they see what earlier scans measured, and not the scan under evaluation', async () => {
  const { id } = await fixture.newAsset('history');
  expect(await requestFor(id)).toMatchObject({ previousSeries: [], parents: [] });
  const times = [await scanned(id), await scanned(id)];
  await fixture.fail(await fixture.claim(id), 'gone');
  const request = await requestFor(id);
  expect(request.historyOf(RECORD_COUNT).map(({ timeMs }) => timeMs)).toEqual(times);
  expect(request.previousSeries).toEqual([RECORD_COUNT]);
  expect(request.points).toMatchObject([{ value: 12 }]);
});

test('they see what the parents of the asset measured, as long as a monitor compares with them', async () => {
  const parent = await fixture.newAsset('parent');
  const { id } = await fixture.newAsset('child');
  await fixture.tenant.lineage.replace(id, { parents: [parent.id] });
  const time = await scanned(parent.id);
  const { parents } = await requestFor(id);
  expect(parents).toMatchObject([{ asset_id: parent.id, name: 'parent' }]);
  expect(parents[0]?.historyOf(RECORD_COUNT)).toMatchObject([{ timeMs: time, value: 10 }]);
  for (const monitor of ['RECORD_COUNT_CORRELATION_DRIFTS', 'UNIQUENESS_CORRELATION_DRIFTS']) {
    await fixture.tenant.monitors.update(id, monitor, { enabled: false, modified_by: 'ada' });
  }
  expect((await requestFor(id)).parents).toEqual([]);
});

test('they see how the columns changed in earlier scans that ended well', async () => {
  const { id } = await fixture.newAsset('columns');
  const change = { kind: 'ADDED', attribute: 'colour', before: null, after: 'STRING' } as const;
  const scanWith = async (schema_changes: readonly SchemaChange[]) => {
    fixture.clock.advance(HOUR_MS);
    const { job, lease } = await fixture.claim(id);
    const metric_time = new Date(fixture.clock.nowMs()).toISOString();
    const metrics = [{ ...RECORD_COUNT, metric_name: 'SCHEMA' as const, value: schema_changes.length }];
    const scan = { details: '', metric_time, metrics, rows_read: 0, schema_changes, samples: [], memory: null };
    await fixture.tenant.jobs.finish({ job_id: job.id, lease }, scan);
  };
  await scanWith([]);
  expect((await requestFor(id)).recentSchemaChanges).toEqual([]);
  await scanWith([change]);
  await fixture.fail(await fixture.claim(id), 'gone');
  expect((await requestFor(id)).recentSchemaChanges).toEqual([[change], []]);
  await scanWith([]);
  expect((await requestFor(id)).recentSchemaChanges).toEqual([[], [change], []]);
});
