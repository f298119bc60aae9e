// SPDX-License-Identifier: Apache-2.0
/**
 * A tenant with one of everything, its names the same in each tenant, and a marker of its own wherever a tenant's text may stand: in
 * descriptions, tags, addresses, rules, file names and in the rows of the data.
 */
import type { JsonClient } from '@sextant/foundation-testing';
import { logIn, type ObservabilityApi, observabilityApi, type TenantUser } from '../observability-api.ts';
import { scan, uploadAsset } from '../scanning.ts';

export type SeededTenant = {
  readonly api: ObservabilityApi;
  /** No other tenant may ever see this text. */
  readonly marker: string;
  /** What stands in paths and queries, by the name of the parameter. */
  readonly ids: { readonly [parameter: string]: readonly string[] };
};

const PEOPLE = ['ann@example.com', 'bo@example.com'];

/** Fills a tenant through its API; `user` is its admin, whom the walk leaves alone. */
export async function seedTenant(client: JsonClient, user: TenantUser, marker: string): Promise<SeededTenant> {
  const api = observabilityApi(client, { tenant: user.tenant, headers: await logIn(client, user) });
  const project = await api.call('create_project', {}, { body: { name: 'Shop', description: marker } });
  const place = { project_id: project.id };
  const global = await api.call('create_connection', {}, { body: { name: 'global', ...warehouse(marker) } });
  const own = await api.call('create_project_connection', place, { body: { name: 'own', ...warehouse(marker) } });
  const channel = { name: 'team', type: 'WEBHOOK', addresses: [`https://hooks.example.com/${marker}`] } as const;
  await api.call('create_channel', {}, { body: channel });
  const props = { tracker_project_id: '1', tracker_issue_type_id: '2', custom_fields: { summary: marker } };
  const template = await api.call('create_ticket_template', {}, { body: { name: 'ticket', type: 'TRACKER', props } });
  await api.call('put_spark_job_config', {}, { body: { spark_properties: { 'spark.app.name': marker } } });
  for (const email of PEOPLE) await api.call('create_user', {}, { body: { email, first_name: marker, last_name: 'Lee', role: 'viewer' } });
  const key = await api.call('create_api_key', {}, { body: { name: marker } });

  const bytes = Buffer.from(`id,note,${marker}\n1,${marker},2026-01-01\n2,${marker},2026-01-02\n3,fine,2026-01-03\n`);
  const asset = await uploadAsset(api, {
    file: `${marker}.csv`,
    bytes,
    name: 'orders',
    description: marker,
    options: { id_attributes: ['note'] },
  });
  await api.call('update_asset', { project_id: 0, asset_id: asset.id }, { body: { tags: [marker] } });
  await api.call('put_schedule', { project_id: 0, asset_id: asset.id }, { body: { schedule: '0 0 1 1 *', timestamp_attribute: marker } });
  const monitor = await api.call('create_monitor', { asset_id: asset.id }, { body: ruleAgainst(marker) });
  const job = await scan(api, asset.id);
  const incidents = await api.call('list_incidents', {});
  const [incident] = incidents;
  if (incident === undefined) throw new Error('the rule that fails opened no incident');
  await api.call('create_incident_comment', { incident_id: incident.id }, { body: { text: marker } });
  await api.call('put_incident_assignee', { incident_id: incident.id }, { body: { assignee: user.email } });
  const count = { metric_name: 'RECORD_COUNT', metric_aggregation: 'count' } as const;
  const exclusion = { asset_id: asset.id, ...count, job_id: job.id, is_excluded: true, comment: marker };
  await api.call('put_metric_exclusion', {}, { body: exclusion });
  const child = await uploadAsset(api, {
    file: 'child.csv',
    bytes: citiesOf(marker),
    name: 'report',
    options: { id_attributes: ['code'], find_wrong_cells: 'true' },
  });
  await api.call('put_lineage', { asset_id: child.id }, { body: { parents: [asset.id] } });
  await scan(api, child.id);
  const { cells } = await api.call('list_wrong_cells', { asset_id: child.id });
  const { rules } = await api.call('list_suggested_rules', { asset_id: child.id });
  const uploads = await api.call('list_uploads', {});

  const ids = {
    project_id: ['0', String(project.id)],
    connection_id: [String(global.id), String(own.id)],
    asset_id: [asset.id, child.id],
    upload_id: uploads.map(({ id }) => id),
    monitor_id: [monitor.id, 'SCHEMA_DRIFTS'],
    job_id: [job.id],
    template_id: [String(template.id)],
    channel_name: [channel.name],
    key_id: [key.id],
    user_email: PEOPLE,
    incident_id: incidents.map(({ id }) => String(id)),
    delivery_id: ['1'],
    cell_id: cells.map(({ id }) => id),
    rule_id: rules.map(({ id }) => id),
  };
  return { api, marker, ids };
}

const CITIES = ['Hamburg', 'Lyon', 'Bilbao', 'Torino', 'Leeds', 'Gdansk', 'Graz', 'Porto'];

/** Rows whose shop is known by their city, but for one that is misspelled. */
function citiesOf(marker: string): Uint8Array {
  const rows = Array.from({ length: 600 }, (_, index) => {
    const city = CITIES[(index * 7 + (index >> 3)) % CITIES.length];
    return `A-${index},${city},${marker} ${index === 200 ? 'Hambrug' : city}`;
  });
  return Buffer.from(`code,city,shop\n${rows.join('\n')}\n`);
}

function warehouse(marker: string) {
  const payload = { account: marker, warehouse: 'w', role: 'r' };
  return { type: 'SNOWFLAKE', payload, credential: { type: 'SIMPLE', payload: { username: marker, password: marker } } } as const;
}

function ruleAgainst(marker: string) {
  const monitor = { expression: `VALIDATE note EXPECT VALUE <> '${marker}'` };
  const threshold = { threshold_type: 'STATIC', threshold1: 90, threshold2: 100 } as const;
  return { type: 'RULE', name: 'rule', enabled: true, description: marker, threshold, monitor } as const;
}
