// SPDX-License-Identifier: Apache-2.0
/** Requests at random: any operation, with ids of either tenant, and bodies that change things. */
import { endpoints, type OperationId } from '@sextant/contracts-observability';
import type { Random } from '@sextant/foundation-std';
import type { JsonReply } from '@sextant/foundation-testing';
import { type ObservabilityApi, pathOf } from '../observability-api.ts';
import type { SeededTenant } from './seeded-tenant.ts';

export type Step = { readonly operation: OperationId; readonly method: string; readonly path: string; readonly body: unknown };

/** Tokens belong to no tenant's path, and failed logins would shut out those that must succeed. */
const LEFT_OUT: readonly OperationId[] = ['get_token', 'change_password'];

// The keys of the table are the operations.
export const OPERATIONS = (Object.keys(endpoints) as readonly OperationId[]).filter((id) => {
  return !LEFT_OUT.includes(id) && endpoints[id].path.includes('{tenant}');
});

/** What takes nothing away, so that there is something to meet for most of the walk. */
const KEEPING = OPERATIONS.filter((id) => endpoints[id].method !== 'DELETE');

/** Whose ids stand in the path, the query and the body of a request to `tenant`: those of all `tenants`, drawn. */
type Target = { readonly tenant: string; readonly tenants: readonly SeededTenant[] };

/** A request of any operation. */
export function drawStep(random: Random, target: Target): Step {
  return stepOf(pick(random, random.integer(4) === 0 ? OPERATIONS : KEEPING), random, target);
}

/** A request of one operation. */
export function stepOf(operation: OperationId, random: Random, { tenant, tenants }: Target): Step {
  const { method, path, aliases } = endpoints[operation];
  const draw = (name: string): string =>
    pick(
      random,
      tenants.flatMap(({ ids }) => ids[name] ?? []),
    );
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, name === 'tenant' ? tenant : draw(name)]));
  const template = pick(random, [path, ...aliases]);
  return { operation, method, path: pathOf(template, params) + queryOf(operation, draw), body: bodyOf(operation, draw) };
}

/** Takes a step with the credential of `api`. */
export function take({ client, headers }: ObservabilityApi, { method, path, body }: Step): Promise<JsonReply> {
  return client.request(method, path, body, { headers });
}

type Draw = (parameter: string) => string;

function queryOf(operation: OperationId, draw: Draw): string {
  const queries: { readonly [id in OperationId]?: () => string } = {
    list_metrics: () => `?asset_id=${draw('asset_id')}`,
    list_assets: () => '?with_attributes=true&with_schedules=true&with_lineage=true',
    list_project_assets: () => '?with_attributes=true&with_lineage=true',
    job_alerts: () => `?job_id=${draw('job_id')}`,
    list_samples: () => `?monitor_id=${draw('monitor_id')}`,
    list_metric_exclusions: () => `?asset_id=${draw('asset_id')}`,
    list_audit: () => `?subject_type=INCIDENT&subject_id=${draw('incident_id')}`,
    create_upload: () => '?name=walk.csv',
    create_user: () => `?email=${draw('user_email')}&first_name=W&last_name=W&role=viewer`,
    update_user: () => '?first_name=W&last_name=W&role=operator',
  };
  return queries[operation]?.() ?? '';
}

function bodyOf(operation: OperationId, draw: Draw): unknown {
  const props = { tracker_project_id: '1', tracker_issue_type_id: '2' };
  const warehouse = { type: 'SNOWFLAKE', payload: { account: 'walk', warehouse: 'w', role: 'r' } };
  const connection = { ...warehouse, credential: { type: 'SIMPLE', payload: { username: 'u', password: 'p' } } };
  const rule = {
    name: 'walk',
    enabled: true,
    threshold: { threshold_type: 'ML' },
    monitor: { expression: 'VALIDATE id EXPECT IS_NUMBER' },
  };
  const bodies: { readonly [id in OperationId]?: () => unknown } = {
    create_project: () => ({ name: 'Walk' }),
    update_project: () => ({ description: 'walked' }),
    create_connection: () => ({ name: 'walk', ...connection }),
    create_project_connection: () => ({ name: 'walk', ...connection }),
    update_connection: () => ({ payload: warehouse.payload }),
    update_project_connection: () => ({ payload: warehouse.payload }),
    create_asset: () => ({ name: 'walk', type: 'UPLOAD', payload: { upload_id: draw('upload_id') } }),
    update_asset: () => ({ description: 'walked', payload: { upload_id: draw('upload_id') }, connection_id: null }),
    move_assets: () => ({ source_project_id: Number(draw('project_id')), source_asset_ids: [draw('asset_id')] }),
    put_attributes: () => ({ all: true }),
    put_lineage: () => ({ parents: [draw('asset_id')] }),
    put_column_lineage: () => ({ columns: [{ attribute: 'id', sources: [{ asset_id: draw('asset_id'), attribute: 'id' }] }] }),
    post_openlineage: () => ({ eventType: 'COMPLETE', outputs: [{ namespace: 'walk', name: 'walk' }] }),
    post_dbt_manifest: () => ({ nodes: { walk: { name: 'walk', resource_type: 'model' } } }),
    put_schedule: () => ({ schedule: '0 0 1 1 *' }),
    create_upload: () => Buffer.from('id,note\n1,walk\n'),
    create_monitor: () => ({ type: 'RULE', ...rule }),
    preview_monitor: () => ({ type: 'RULE', monitor: rule.monitor }),
    update_monitor: () => rule,
    alerts_by_filters: () => ({ sources: [draw('asset_id')], upload_dates: [], violation_names: [] }),
    put_incident_assignee: () => ({ assignee: draw('user_email') }),
    create_incident_comment: () => ({ text: 'walked' }),
    close_incident: () => ({ comment: 'walked' }),
    put_metric_exclusion: () => ({
      asset_id: draw('asset_id'),
      metric_name: 'RECORD_COUNT',
      metric_aggregation: 'count',
      job_id: draw('job_id'),
      is_excluded: true,
    }),
    create_ticket_template: () => ({ name: 'walk', type: 'TRACKER', props }),
    update_ticket_template: () => ({ name: 'ticket', type: 'TRACKER', props }),
    put_spark_job_config: () => ({ spark_properties: { 'spark.app.name': 'walk' } }),
    put_dq_score: () => ({ enabled: true, weights: { completeness: 1, accuracy: 1, consistency: 1, timeliness: 1 } }),
    put_dq_reporting: () => ({ enabled: true, path: 'walk', connection_id: Number(draw('connection_id')) }),
    create_channel: () => ({ name: draw('channel_name'), type: 'EMAIL', addresses: ['walk@example.com'] }),
    update_channel: () => ({ type: 'EMAIL', addresses: ['walk@example.com'] }),
    create_api_key: () => ({ name: 'walk' }),
    assign_role: () => ({ role: 'viewer' }),
    put_cell_verdict: () => ({ verdict: 'WRONG' }),
  };
  return bodies[operation]?.();
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[random.integer(items.length)];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}
