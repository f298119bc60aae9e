// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { insertAll, takeNumbers } from '../database/scope.ts';
import type { Fixture } from './engines.conformance.ts';
import { ASSET, alertOf, CONNECTION, incidentOf, METRIC, MONITOR, runningJob, START, START_MS, TEMPLATE } from './samples.conformance.ts';

const DAY_MS = 86_400_000;
const at = (ms: number) => new Date(ms).toISOString();

export function monitoringSuite({ metadata, tenant, clock, location }: Fixture): void {
  test('alerts are found by source, time and violation together', async () => {
    const { assets, alerts } = await tenant();
    const [a, b] = [(await assets.create(ASSET)).id, (await assets.create(ASSET)).id];
    const written = [alertOf(a), alertOf(a, { violation_name: 'DATA.2' }), alertOf(b), alertOf(a, { metric_time: at(START_MS + 1) })];
    await alerts.append(written);
    const { monitor_id, series: _series, metric: _metric, ...shown } = alertOf(a);
    expect(monitor_id).toBe('1');
    expect(await alerts.byFilters({ sources: [a], upload_dates: [START], violation_names: ['FEATURE.1'] })).toEqual([shown]);
    const wide = { sources: [a, b, 'unknown'], upload_dates: [START, at(START_MS + 1)], violation_names: ['FEATURE.1', 'DATA.2'] };
    expect(await alerts.byFilters(wide)).toHaveLength(4);
    expect((await alerts.byFilters(wide))[0]?.metric_time).toBe(at(START_MS + 1));
    expect(await alerts.byFilters(wide, { limit: 2, offset: 3 })).toHaveLength(1);
    expect(await alerts.byFilters({ ...wide, violation_names: [] })).toEqual([]);
    await expect(alerts.byFilters({ ...wide, upload_dates: ['yesterday'] })).rejects.toMatchObject({ name: 'MetadataRefused' });
    const many = Array.from({ length: 10_001 }, () => START);
    await expect(alerts.byFilters({ ...wide, upload_dates: many })).rejects.toThrow('at most 10000');
  });

  test('alerts are written all or none', async () => {
    const { assets, alerts } = await tenant();
    const { id } = await assets.create(ASSET);
    await expect(alerts.append([alertOf(id), alertOf('unknown')])).rejects.toMatchObject({ kind: 'asset', id: 'unknown' });
    expect(await alerts.byFilters({ sources: [id], upload_dates: [START], violation_names: ['FEATURE.1'] })).toEqual([]);
  });

  test('alerts of a job belong to its asset, and go with their monitor', async () => {
    const own = await tenant();
    const [a, b] = [(await own.assets.create(ASSET)).id, (await own.assets.create(ASSET)).id];
    const monitor = await own.monitors.create(a, MONITOR);
    const lease = await runningJob(metadata(), own, a);
    const { job_id } = lease;
    expect(await own.alerts.ofJob({ source: a, job_id })).toEqual([]);
    await own.alerts.append([alertOf(a, { job_id, monitor_id: monitor.id }), alertOf(a, { job_id, monitor_id: 'SCHEMA_DRIFTS' })]);
    expect(await own.alerts.ofJob({ source: a, job_id })).toHaveLength(2);
    await own.monitors.delete(a, monitor.id);
    expect(await own.alerts.ofJob({ source: a, job_id })).toHaveLength(1);
    await expect(own.alerts.ofJob({ source: b, job_id })).rejects.toMatchObject({ kind: 'job' });
    await expect(own.alerts.ofJob({ source: 'unknown', job_id })).rejects.toMatchObject({ kind: 'asset' });
    await own.jobs.fail(lease, 'done');
  });

  test('monitors of all assets are found by what they use, those of people first', async () => {
    const own = await tenant();
    const [a, b] = [(await own.assets.create(ASSET)).id, (await own.assets.create(ASSET)).id];
    const { id: template } = await own.ticketTemplates.create(TEMPLATE);
    const telling = (channels: readonly string[]) => ({ send_notifications: true, notification_channel_names: channels });
    const plain = { ...MONITOR, notification: null, ticketing: null };
    await own.monitors.create(a, { ...plain, name: 'both', notification: telling(['ops', 'a "b"']) });
    await own.monitors.create(b, {
      ...plain,
      name: 'ticket',
      ticketing: { type: 'TRACKER', create_ticket: null, ticket_template_id: template },
    });
    await own.monitors.create(b, { ...plain, name: 'one', notification: telling(['OPS', 'ops 2']) });
    const named = async (...question: Parameters<typeof own.monitors.select>) =>
      (await own.monitors.select(...question)).map(({ name }) => name).toSorted();
    expect(await named({ channel: 'ops' })).toEqual(['both']);
    expect(await named({ channel: 'a "b"' })).toEqual(['both']);
    for (const channel of ['op', 'send_notifications', '', '%', 'b']) expect(await named({ channel })).toEqual([]);
    expect(await named({ ticketTemplateId: template })).toEqual(['ticket']);
    expect(await named({ ticketTemplateId: template, channel: 'ops' })).toEqual([]);
    expect(await named({ isPrebuilt: false })).toEqual(['both', 'one', 'ticket']);
    expect(await named({ isPrebuilt: true })).toHaveLength(42);
    expect(await named({}, { limit: 3 })).toEqual(['both', 'one', 'ticket']);
    expect(await named({}, { limit: 3, offset: 44 })).toHaveLength(1);
    expect(await named({ channel: 'ops' }, { offset: 1 })).toEqual([]);
  });

  test('an incident opens, goes on, closes and opens again', async () => {
    const { assets, incidents } = await tenant();
    const { id: asset_id } = await assets.create(ASSET);
    const opened = await incidents.open(incidentOf(asset_id));
    expect(opened).toMatchObject({ id: 1, project_id: 0, status: 'OPEN', ticket_id: 0, metrics: [METRIC], created_time: START });
    const other = { ...METRIC, attribute: 'name' };
    const refs = [{ metric_time: START, violation_name: 'DATA.2' }];
    const later = at(START_MS + 5000);
    const ongoing = { timestamp: later, state: 'ONGOING', alert_refs: refs } as const;
    const second = await incidents.advance(1, { ...ongoing, severity: 'LOW', metrics: [other, METRIC], last_upload_timestamp: later });
    expect(second).toMatchObject({ status: 'OPEN', severity: 'LOW', metrics: [METRIC, other], last_upload_timestamp: later });
    expect(await incidents.advance(1, { ...ongoing, state: 'RESOLVED', alert_refs: [] })).toMatchObject({ status: 'CLOSED' });
    expect((await incidents.summary()).closed_by_tag).toEqual({ gold: 1, core: 1 });
    const reopened = await incidents.advance(1, { ...ongoing, state: 'REOPENED' });
    expect(reopened.status).toBe('OPEN');
    expect(reopened.history.map(({ state }) => state)).toEqual(['NEW', 'ONGOING', 'RESOLVED', 'REOPENED']);
    expect(reopened.history[1]).toEqual(ongoing);
    const { metrics, history, ...listed } = await incidents.get(1);
    expect([metrics.length, history.length]).toEqual([2, 4]);
    expect(await incidents.list()).toEqual([listed]);
    const tracked = (alertPolicyId: string) => incidents.trackedOfAsset(asset_id, { alertPolicyId });
    expect(await tracked('SCHEMA_DRIFTS')).toEqual([{ ...listed, metrics, last_step: history.at(-1) }]);
    expect(await tracked('other')).toEqual([]);
    for (const ask of [() => incidents.get(9), () => incidents.advance(9, ongoing)]) {
      await expect(ask()).rejects.toMatchObject({ kind: 'incident', id: '9' });
    }
  });

  test('the search knows no wildcards, and looks at the names that assets have now', async () => {
    const { assets, incidents } = await tenant();
    const { id } = await assets.create({ ...ASSET, name: '100%_Straße' });
    await incidents.open(incidentOf(id, { alert_policy_name: 'ÄNDERUNG\\x' }));
    const found = async (text_to_search: string) => (await incidents.list({ text_to_search })).length;
    for (const text of ['100%', '%_s', 'STRASSE'.toLowerCase().replace('ss', 'ß'), 'änderung\\X', '', 'g\\'])
      expect(await found(text)).toBe(1);
    for (const text of ['%%', '_00', '10_', "' or '1'='1", 'x100']) expect(await found(text)).toBe(0);
    await assets.update(id, { name: 'Renamed' });
    expect([await found('renamed'), await found('100%')]).toEqual([1, 0]);
  });

  test('incidents are found by the connection and kind of their asset', async () => {
    const { assets, connections, incidents } = await tenant();
    const { id: connection_id } = await connections.create(CONNECTION);
    const asset = await assets.create({ ...ASSET, connection_id });
    await incidents.open(incidentOf(asset.id));
    const count = async (filter: Parameters<typeof incidents.list>[0]) => (await incidents.list(filter)).length;
    expect(await count({ connection_ids: [String(connection_id), 'conn-123'] })).toBe(1);
    for (const id of ['conn-123', '', '1e0', '99999999999999999999', '-1']) expect(await count({ connection_ids: [id] })).toBe(0);
    expect(await count({ connection_types: ['S3', 'GCS'] })).toBe(1);
    expect(await count({ connection_types: ['GCS'] })).toBe(0);
    expect(await count({ connection_types: [], severities: [] })).toBe(1);
  });

  test('the distribution shows empty days and is bounded', async () => {
    const { assets, incidents } = await tenant();
    const { id } = await assets.create(ASSET);
    expect(await incidents.distribution()).toEqual({ incidents: [] });
    const empty = await incidents.distribution({ from_time: '2026-02-27T23:59:59.999Z', to_time: '2026-03-01T00:00:00.000Z' });
    expect(empty.incidents.map(({ date }) => date)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    await incidents.open(incidentOf(id, { created_time: '2026-03-01T23:59:59.999Z', severity: '', impact: '' }));
    await incidents.open(incidentOf(id, { created_time: '2026-03-03T00:00:00.000Z' }));
    const none = { LOW: 0, MEDIUM: 0, HIGH: 0 };
    expect(await incidents.distribution()).toEqual({
      incidents: [
        { date: '2026-03-01', counts: { ...none, '': 1 }, counts_by_impact: none },
        { date: '2026-03-02', counts: { ...none, '': 0 }, counts_by_impact: none },
        { date: '2026-03-03', counts: { ...none, HIGH: 1, '': 0 }, counts_by_impact: { ...none, LOW: 1 } },
      ],
    });
    const backwards = await incidents.distribution({ from_time: '2026-03-03T00:00:00Z', to_time: '2026-03-01T00:00:00Z' });
    expect(backwards).toEqual({ incidents: [] });
    const tooLong = incidents.distribution({ from_time: '0001-01-01T00:00:00Z', to_time: '9999-01-01T00:00:00Z' });
    await expect(tooLong).rejects.toMatchObject({ name: 'MetadataRefused' });
  });

  test('mean times to resolve look back over two periods of 30 days and round half up', async () => {
    const { assets, incidents } = await tenant();
    const { id } = await assets.create(ASSET);
    const nowMs = clock.nowMs();
    const closedAt = async (closedMs: number, hours: number) => {
      const incident = await incidents.open(incidentOf(id, { created_time: at(closedMs - hours * 3_600_000) }));
      await incidents.advance(incident.id, { timestamp: at(closedMs), state: 'RESOLVED', alert_refs: [] });
    };
    expect(await incidents.summary()).toMatchObject({ total: 0, mean_time_to_resolve: 0, previous_mean_time_to_resolve: 0 });
    await closedAt(nowMs, 2);
    await closedAt(nowMs - 30 * DAY_MS + 1, 3);
    await closedAt(nowMs - 30 * DAY_MS, 7);
    await closedAt(nowMs - 60 * DAY_MS, 500);
    await incidents.open(incidentOf(id, { tags: ['__proto__'] }));
    const summary = await incidents.summary();
    expect(summary).toMatchObject({ total: 5, open: 1, closed: 4, mean_time_to_resolve: 3, previous_mean_time_to_resolve: 7 });
    expect(Object.entries(summary.open_by_tag)).toEqual([['__proto__', 1]]);
  });

  test('background errors are kept, the newest thousand', async () => {
    const { tenantId, backgroundErrors } = await tenant();
    const error = { error_class: 'INTEGRATION_TRACKER', exception_type: 'Error', stack_trace: 'at x' };
    await backgroundErrors.append({ ...error, message: '1' });
    const database = openDatabase(location());
    const older = Array.from({ length: 999 }, (_, index) => ({ number: index + 2, message: String(index + 2) }));
    const rows = older.map((row) => ({ ...error, ...row, tenant_id: tenantId, event_ms: START_MS }));
    await insertAll(database.kysely, 'background_errors', rows);
    await takeNumbers(database.kysely, tenantId, 'background error', rows.length);
    await database.kysely.destroy();
    for (const message of ['1001', '1002']) await backgroundErrors.append({ ...error, message });
    const kept = await backgroundErrors.list(5000);
    expect([kept.length, kept[0]?.message, kept.at(-1)?.message]).toEqual([1000, '1002', '3']);
    expect(await backgroundErrors.list(1)).toEqual([{ ...error, message: '1002', timestamp: at(clock.nowMs()) }]);
  });

  test('configurations are stored block by block and asset by asset', async () => {
    const { assets, connections, sparkConfig, dqScoreConfig, dqReportingConfig } = await tenant();
    const { id } = await assets.create(ASSET);
    expect(await sparkConfig.get()).toEqual({});
    await sparkConfig.change({ spark_properties: { 'spark.a': '1' }, cluster_b_config: { min_instance_count: 1 } });
    expect(await sparkConfig.change({ spark_properties: null, cluster_b_config: { max_instance_count: 2 } })).toEqual({
      cluster_b_config: { max_instance_count: 2 },
    });
    expect(await sparkConfig.get()).toEqual({ cluster_b_config: { max_instance_count: 2 } });
    await sparkConfig.delete();
    expect(await sparkConfig.get()).toEqual({});
    const score = { enabled: true, weights: { completeness: 0.3, accuracy: 0.3, consistency: 0.2, timeliness: 0.2 } };
    expect(await dqScoreConfig.find(id)).toBeUndefined();
    await dqScoreConfig.put(id, score);
    expect(await dqScoreConfig.find(id)).toEqual(score);
    await dqScoreConfig.delete(id);
    expect(await dqScoreConfig.find(id)).toBeUndefined();
    await expect(dqScoreConfig.find('unknown')).rejects.toMatchObject({ kind: 'asset' });
    await expect(dqReportingConfig.put({ enabled: true, path: 'p', connection_id: 9 })).rejects.toMatchObject({ kind: 'connection' });
    const { id: connection_id } = await connections.create(CONNECTION);
    await dqReportingConfig.put({ enabled: true, path: 'p', connection_id });
    await dqReportingConfig.put({ enabled: false, path: 'q', connection_id });
    expect(await dqReportingConfig.find()).toEqual({ enabled: false, path: 'q', connection_id });
  });
}
