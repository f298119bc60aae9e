// SPDX-License-Identifier: Apache-2.0
/** One of each kind of object in the tenant `default`, all of them with a marker in them that no other tenant must ever see. */
import type { TestService } from './test-service.ts';

export const MARKER = 'only-for-default';

export type SeededTenant = {
  /** What each parameter of a path can be filled with, so that it leads to something. */
  readonly params: { readonly [name: string]: string };
};

type Json = { readonly [name: string]: unknown };

const CSV = `id,${MARKER}\n1,${MARKER}\n2,x\n`;
const BACKEND = '/api/backend/default/configuration';

export async function seedTenant(service: TestService): Promise<SeededTenant> {
  const admin = await service.login();
  const post = async (path: string, body: unknown): Promise<Json> => {
    const headers = typeof body === 'string' ? { ...admin, 'content-type': 'text/csv' } : admin;
    const reply = await service.call('POST', path, body, headers);
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status} ${reply.text}`);
    return reply.body as Json;
  };
  const project = await post(`${BACKEND}/projects`, { name: MARKER });
  const connection = await post(`${BACKEND}/projects/${project.id}/connections`, connectionBody());
  await post(`${BACKEND}/connections`, connectionBody());
  const upload = await post(`/default/uploads?name=${MARKER}.csv`, CSV);
  const asset = await post(`${BACKEND}/projects/${project.id}/assets`, { name: MARKER, type: 'UPLOAD', payload: upload.payload });
  const schedule = `${BACKEND}/projects/${project.id}/assets/${asset.id}/schedule`;
  await service.call('PUT', schedule, { schedule: '0 6 1 1 *' }, admin);
  const job = await post(`/default/assets/${asset.id}/batch_data`, {});
  const monitor = await post(`/default/configuration/assets/${asset.id}/monitors`, monitorBody());
  const template = await post('/default/configuration/integrations/tickets/template', templateBody());
  const channel = await post(`${BACKEND}/alert_channels`, { name: MARKER, type: 'EMAIL', addresses: [`${MARKER}@example.com`] });
  const key = await post('/auth/default/apiKeys', { name: MARKER });
  const email = `${MARKER}@example.com`;
  await post('/auth/default/users', { email, first_name: MARKER, last_name: MARKER, role: 'viewer' });
  const incident = await openIncident(service, String(asset.id));
  const connection_body = { base_url: 'https://tracker.example.com', email: `${MARKER}@example.com`, api_token: MARKER };
  await service.call('PUT', '/default/configuration/integrations/tickets/connection', connection_body, admin);
  const delivery = await openDelivery(service, incident);
  await post(`/api/backend/default/incidents/${incident}/comments`, { text: MARKER });
  const ids = { tenant: 'default', project_id: project, connection_id: connection, asset_id: asset, upload_id: upload };
  const named = { job_id: job.job_id, user_email: email, channel_name: channel.name, incident_id: incident };
  const more = { monitor_id: monitor.id, template_id: template.id, key_id: key.id, delivery_id: delivery };
  const params = Object.entries({ ...ids, ...named, ...more }).map(([name, value]) => [name, String(idOf(value))]);
  return { params: Object.fromEntries(params) };
}

export function connectionBody() {
  return { name: MARKER, type: 'BIGQUERY', payload: { project: MARKER }, credential: { type: 'GCP', payload: { private_key: MARKER } } };
}

export function monitorBody(name = MARKER) {
  return {
    type: 'PREDEFINED_METRIC',
    name,
    enabled: true,
    description: MARKER,
    monitor: { predefined_metric: 'COMPLETENESS', attributes: [] },
    threshold: { threshold_type: 'STATIC', threshold1: 90, threshold2: 100 },
  };
}

export function templateBody(name = MARKER) {
  return {
    name,
    type: 'TRACKER',
    props: { tracker_project_id: '10000', tracker_issue_type_id: '10001', custom_fields: { summary: MARKER } },
  };
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
}

async function openIncident(service: TestService, assetId: string): Promise<number> {
  await using store = await service.openStore();
  const time = '2025-01-01T00:00:00.000Z';
  const { id } = await store.forTenant('default').incidents.open({
    asset_id: assetId,
    last_upload_timestamp: time,
    created_time: time,
    severity: 'HIGH',
    impact: 'LOW',
    alert_policy_id: 'COMPLETENESS_DRIFTS',
    alert_policy_name: MARKER,
    description: MARKER,
    tags: [MARKER],
    metrics: [],
    history: { timestamp: time, state: 'NEW', alert_refs: [{ metric_time: time, violation_name: MARKER }] },
  });
  return id;
}

/** Of a ticket, which is linked as well. */
async function openDelivery(service: TestService, incidentId: number): Promise<string> {
  await using store = await service.openStore();
  const tenant = store.forTenant('default');
  await tenant.tickets.link(
    { incident_id: incidentId, key: `${MARKER}-1`, url: `https://example.com/${MARKER}`, template_id: null },
    'system',
  );
  const delivery = await tenant.deliveries.enqueue({
    kind: 'NOTIFICATION',
    dedup_key: null,
    lane: MARKER,
    target: MARKER,
    recipient: MARKER,
    incident_id: incidentId,
    channel: MARKER,
    payload: { address: MARKER },
  });
  return delivery?.id ?? '';
}
