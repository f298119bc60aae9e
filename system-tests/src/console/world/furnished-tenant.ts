/**
 * A tenant that has been at work for some time: tables of vega-datasets are delivered day by day, some days damaged, and everything else
 * that a screen can show is there once.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DAMAGES } from '../../observability/demo/damages.ts';
import { readDataSet } from '../../observability/demo/data-sets.ts';
import { type ObservabilityApi, observabilityApi } from '../../observability/observability-api.ts';
import { DEFAULT_PROJECT, scan, uploadAsset } from '../../observability/scanning.ts';
import type { Calendar } from './calendar.ts';
import { dataSetOf, Supplier } from './supplier.ts';

export type Estate = {
  /** One that the service may read. */
  readonly directory: string;
  readonly calendar: Calendar;
  /** How long the deliveries have been coming. */
  readonly days?: number;
};

export type FurnishedTenant = {
  readonly projectId: number;
  readonly assetIds: Readonly<Record<'flights' | 'weather' | 'airports', string>>;
  /** Of the flights; it expects none to be more than three hours late. */
  readonly ruleId: string;
  /** Of the flights, as is the closed one. */
  readonly openIncidentId: number;
  readonly closedIncidentId: number;
  readonly connectionId: number;
  readonly channel: string;
  readonly templateId: number;
};

type DamageName = (typeof DAMAGES)[number]['name'];

/** As few as teach the service what is usual before the first damage; a first weekend is judged by nothing, so a whole week comes before it. */
const DAYS_MIN = 9;
/** What is wrong with the delivery of so many days ago. */
const FLIGHTS_DAMAGED: { readonly [daysAgo: number]: DamageName } = {
  15: 'rows dropped',
  10: 'stale data',
  2: 'nulls injected',
  0: 'values shifted',
};
const WEATHER_DAMAGED: { readonly [daysAgo: number]: DamageName } = { 12: 'ids duplicated', 6: 'rows dropped', 0: 'column renamed' };
const CHANNEL = 'data team';

/** `admin` is a member who may do everything. */
export async function furnishTenant(admin: ObservabilityApi, { directory, calendar, days = DAYS_MIN }: Estate): Promise<FurnishedTenant> {
  // An access token would expire as the days go by.
  const { key } = await admin.call('create_api_key', {}, { body: { name: 'deliveries' } });
  const api = observabilityApi(admin.client, { tenant: admin.tenant, headers: { 'X-TLM-Key': key } });
  const startMs = calendar.goToDaysAgo(days);
  const folder = join(directory, 'deliveries');
  await mkdir(folder, { recursive: true });
  const connection = { name: 'deliveries', type: 'FILE', payload: { directory: folder } } as const;
  const { id: connectionId } = await api.call('create_connection', {}, { body: connection });
  const { templateId } = await addIntegrations(api);

  const place = { directory: folder, connectionId, startMs };
  const [flights, weather] = await Promise.all([Supplier.create(api, 'flights', place), Supplier.create(api, 'weather', place)]);
  const ruleId = await addRule(api, 'flights', flights.assetId);
  for (let daysAgo = days; daysAgo >= 0; daysAgo -= 1) {
    const nowMs = calendar.goToDaysAgo(daysAgo);
    await Promise.all([flights.deliver(nowMs, FLIGHTS_DAMAGED[daysAgo]), weather.deliver(nowMs, WEATHER_DAMAGED[daysAgo])]);
  }

  const airports = await uploadAsset(api, { file: 'airports.csv', bytes: await readDataSet(dataSetOf('airports')), name: 'airports' });
  await scan(api, airports.id);
  const { assetId } = flights;
  await api.call('put_lineage', { asset_id: assetId }, { body: { parents: [weather.assetId, airports.id] } });
  await api.call('put_schedule', { project_id: DEFAULT_PROJECT, asset_id: assetId }, { body: { schedule: '0 6 * * *' } });
  const openIncidentId = await newestIncident(api, 'OPEN', assetId);
  const text = 'The supplier was told; a new delivery comes tonight.';
  await api.call('create_incident_comment', { incident_id: openIncidentId }, { body: { text } });
  return {
    projectId: DEFAULT_PROJECT,
    assetIds: { flights: assetId, weather: weather.assetId, airports: airports.id },
    ruleId,
    openIncidentId,
    closedIncidentId: await newestIncident(api, 'CLOSED', assetId),
    connectionId,
    channel: CHANNEL,
    templateId,
  };
}

async function addIntegrations(api: ObservabilityApi) {
  await api.call('create_channel', {}, { body: { name: CHANNEL, type: 'EMAIL', addresses: ['data@example.com'] } });
  const props = { tracker_project_id: '10000', tracker_issue_type_id: '10001', custom_fields: { priority: { name: 'High' } } };
  const template = await api.call('create_ticket_template', {}, { body: { name: 'Data defect', type: 'TRACKER', props } });
  await api.call('put_tracker_connection', {}, { body: { base_url: 'https://tracker.example.com', api_token: 'token' } });
  return { templateId: template.id };
}

async function addRule(api: ObservabilityApi, table: string, assetId: string): Promise<string> {
  const { name, expression } = dataSetOf(table).rule;
  const rule = { type: 'RULE', name, enabled: true, threshold: { threshold_type: 'ML' }, monitor: { expression } } as const;
  return (await api.call('create_monitor', { asset_id: assetId }, { body: rule })).id;
}

async function newestIncident(api: ObservabilityApi, status: 'OPEN' | 'CLOSED', assetId: string): Promise<number> {
  const incidents = await api.call('list_incidents', {});
  const incident = incidents.find((each) => each.status === status && each.asset_id === assetId);
  if (incident === undefined) throw new Error(`no incident is ${status}: ${JSON.stringify(incidents)}`);
  return incident.id;
}
