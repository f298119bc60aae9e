// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Fixture } from './engines.conformance.ts';
import { ASSET, alertOf, CONNECTION, incidentOf, MONITOR, RESULT, runningJob, TEMPLATE, USER } from './samples.conformance.ts';

const HOSTILE = [
  "'; drop table users; --",
  `" or ""="`,
  "\\'; select pg_sleep(9); --",
  '$1 ? :name @x %s $x $$',
  '%_\\',
  'ünï©ødé 漢字 🙂 \u202e rtl \u0301',
  'line\nbreak\ttab\r\u0001\u007f',
];
/** All as one text, in both orders: what a text ends with may matter as what it begins with does. */
const TEXTS = [HOSTILE.join(' '), HOSTILE.toReversed().join(' '), 'x'.repeat(5000)];
const BIG = 18_446_744_073_709_551_615n;

/** Whatever people write comes back as they wrote it. */
export function textSuite({ metadata, tenant }: Fixture): void {
  test.each(TEXTS.map((text, index) => [index, text]))('text %i comes back from every field as it was written', async (_, given) => {
    const own = await tenant();
    const text = String(given);
    const json = { [text]: [text, BIG, -BIG, 0.1, null] };
    const user = await own.users.create({ ...USER, email: text, first_name: text, last_name: text, password_hash: text });
    expect(await own.users.findByEmail(text.toUpperCase().toLowerCase())).toMatchObject({ ...user, password_hash: text });
    const key = await own.apiKeys.create({ name: text, secret_hash: `${own.tenantId}${text}`, role: 'viewer', creator_id: user.id });
    expect(await own.apiKeys.list()).toEqual([key]);
    expect(await metadata().platform.credentials.findApiKey(`${own.tenantId}${text}`)).toMatchObject({ id: key.id, name: text });
    // PostgreSQL's unique indexes hold at most 2.7 kB of an entry; names are bounded well below that where they enter.
    const name = text.slice(0, 500);
    const project = await own.projects.create({ name, description: text, created_by: text });
    expect(await own.projects.get(project.id)).toMatchObject({ name, description: text });
    const connection = await own.connections.create({
      ...CONNECTION,
      name: text,
      payload: json,
      credential: { type: text, payload: json },
    });
    expect(await own.connections.get(connection.id)).toMatchObject({ name: text, payload: json });
    expect(await own.connections.credential(connection.id)).toEqual({ type: text, payload: json });
    const options = { segments: { [text]: [text] } };
    const asset = await own.assets.create({
      ...ASSET,
      name: text,
      description: text,
      payload: json,
      options,
      tags: [text],
      webhook_url: text,
    });
    expect(await own.assets.get(asset.id)).toEqual(asset);
    expect(asset).toMatchObject({ name: text, payload: json, options, tags: [text] });
    await own.attributes.replace(asset.id, [{ name, source_type: text, data_type: 'OTHER' }], { monitorNew: true });
    expect(await own.attributes.setMonitored(asset.id, { [name]: false })).toMatchObject([{ name, source_type: text, monitored: false }]);
    const monitor = await own.monitors.create(asset.id, { ...MONITOR, name, description: text, tags: [text] });
    expect(await own.monitors.get(asset.id, monitor.id)).toMatchObject({ name, description: text, tags: [text] });
    await expect(own.monitors.get(asset.id, text)).rejects.toMatchObject({ kind: 'monitor', id: text });
    const template = await own.ticketTemplates.create({ ...TEMPLATE, name, props: { ...TEMPLATE.props, custom_fields: json } });
    expect(await own.ticketTemplates.get(template.id)).toEqual(template);
    await own.channels.create({ name, type: 'EMAIL', addresses: [text] });
    expect(await own.channels.get(name)).toMatchObject({ addresses: [text] });
    const lease = await runningJob(metadata(), own, asset.id);
    const row = { [text]: text };
    await own.jobs.finish(lease, {
      ...RESULT,
      details: text,
      memory: json,
      metrics: [{ metric_name: 'TOP_VALUE', metric_aggregation: text, attribute: text, segment: text, monitor_id: text, value: 1 }],
      schema_changes: [{ kind: 'RETYPED', attribute: text, before: text, after: text }],
      samples: [{ monitor_id: text, reason: text, record_id: text, row }],
    });
    expect(await own.scanMemory.get(asset.id)).toEqual(json);
    const series = { metric_aggregation: text, attribute: text, segment: text, monitor_id: text };
    expect(await own.metricPoints.history({ asset_id: asset.id, ...series })).toMatchObject([series]);
    expect(await own.jobFindings.rowSamples(lease.job_id, { monitor_id: text })).toMatchObject([{ row }]);
    expect(await own.jobFindings.schemaChanges(lease.job_id)).toMatchObject([{ attribute: text }]);
    const alert = alertOf(asset.id, { violation_name: name, violation_data: json, policy_name: text, segment: text, tags: [text] });
    await own.alerts.append([alert]);
    const { monitor_id: _monitor, series: _series, metric: _metric, ...shown } = alert;
    const filter = { sources: [asset.id, text], upload_dates: [alert.metric_time], violation_names: [name] };
    expect(await own.alerts.byFilters(filter)).toEqual([shown]);
    const incident = await own.incidents.open(
      incidentOf(asset.id, { alert_policy_id: name, alert_policy_name: text, description: text, tags: [name] }),
    );
    expect(incident).toMatchObject({ alert_policy_id: name, alert_policy_name: text, description: text });
    expect(await own.incidents.list({ text_to_search: text, alert_policy_ids: [name] })).toHaveLength(1);
    expect((await own.incidents.summary()).open_by_tag).toEqual({ [name]: 1 });
    await own.backgroundErrors.append({ error_class: text, message: text, exception_type: text, stack_trace: text });
    expect(await own.backgroundErrors.list(1)).toMatchObject([{ message: text, stack_trace: text }]);
    expect(await own.users.list()).toHaveLength(1);
  });

  test('a NUL is refused as text and carried in JSON', async () => {
    const { projects, assets } = await tenant();
    const refused = projects.create({ name: 'a\0b', description: null, created_by: 'ada' });
    await expect(refused).rejects.toMatchObject({ name: 'MetadataRefused' });
    expect(await projects.list()).toHaveLength(1);
    expect((await assets.create({ ...ASSET, payload: { path: 'a\0b' } })).payload).toEqual({ path: 'a\0b' });
  });
}
