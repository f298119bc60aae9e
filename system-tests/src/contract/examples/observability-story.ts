// SPDX-License-Identifier: Apache-2.0
/** A small shop whose orders are watched: one request for each operation of the observability service, in an order in which each has something to answer. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObservabilityApi } from '../../observability/observability-api.ts';
import { DEFAULT_PROJECT, untilEnded } from '../../observability/scanning.ts';
import { until } from '../../until.ts';

export type Place = {
  /** That the service may read. */
  readonly directory: string;
  /** A server that takes messages and tickets. */
  readonly peer: string;
  /** A vector service with the collection `articles`. */
  readonly collections: string;
  /** An object store, and the bucket there. */
  readonly store: { readonly endpoint: string; readonly bucket: string };
};

const WAIT_MS = 120_000;
const MEMBER = 'ann@example.com';
const PROJECT = { project_id: DEFAULT_PROJECT };
const CITIES = ['Hamburg', 'Lyon', 'Bilbao', 'Torino', 'Leeds', 'Gdansk', 'Graz', 'Porto'];

/** Orders whose shop is known by their city; of the newest delivery one is misspelled, and some have no amount. */
function ordersOf(rows: number, isDamaged: boolean): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const city = CITIES[(index * 7 + (index >> 3)) % CITIES.length];
    const amount = isDamaged && index % 40 === 0 ? '-1' : String(10 + (index % 90));
    return `A-${index},${city},${isDamaged && index === 200 ? 'Hambrug' : city} store,${amount}`;
  });
  return `code,city,shop,amount\n${lines.join('\n')}\n`;
}

/** Operations of people, tenants and keys. */
export async function peopleStory(api: ObservabilityApi, password: string): Promise<void> {
  await api.call('healthz', {});
  await api.call('readyz', {});
  const key = await api.call('create_api_key', {}, { body: { name: 'nightly load' } });
  await api.call('list_api_keys', {});
  await api.call('get_api_key', { key_id: key.id });
  await api.call('delete_api_key', { key_id: key.id });
  const member = { email: MEMBER, first_name: 'Ann', last_name: 'Lee', role: 'viewer', password } as const;
  await api.call('create_user', {}, { body: member });
  await api.call('list_users', {});
  await api.call('get_user', { user_email: MEMBER });
  await api.call('update_user', { user_email: MEMBER }, { body: { first_name: 'Ann', last_name: 'Leigh', role: 'viewer' } });
  await api.call('assign_role', { user_email: MEMBER }, { body: { role: 'viewer', project_roles: { 0: 'editor' } } });
  await api.call('change_password', { user_email: MEMBER }, { body: { old_password: password, new_password: `${password}x` } });
  await api.call('reset_password', { user_email: MEMBER });
}

/** Operations of sources, scans, monitors, incidents and what they lead to. */
export async function shopStory(api: ObservabilityApi, { directory, peer, collections, store }: Place): Promise<void> {
  const project = await api.call('create_project', {}, { body: { name: 'Shop', description: 'Orders and stock' } });
  const shop = { project_id: project.id };
  await api.call('list_projects', {});
  await api.call('get_project', shop);
  await api.call('update_project', shop, { body: { description: 'Orders, stock and shops' } });

  const folder = join(directory, 'deliveries');
  await mkdir(folder);
  await writeFile(join(folder, 'orders.csv'), ordersOf(600, false));
  const files = { name: 'deliveries', type: 'FILE', payload: { directory: folder } } as const;
  const global = await api.call('create_connection', {}, { body: files });
  const connection = { connection_id: global.id };
  await api.call('list_connections', {});
  await api.call('get_connection', connection);
  await api.call('update_connection', connection, { body: { name: 'daily deliveries' } });
  await api.call('test_connection', connection);
  await api.call('list_connection_items', connection);
  const own = await api.call('create_project_connection', shop, { body: { ...files, name: 'shop deliveries' } });
  const ownPlace = { ...shop, connection_id: own.id };
  await api.call('list_project_connections', shop);
  await api.call('get_project_connection', ownPlace);
  await api.call('update_project_connection', ownPlace, { body: { name: 'deliveries of shops' } });
  await api.call('test_project_connection', ownPlace);
  await api.call('list_project_connection_items', ownPlace);
  await api.call('delete_project_connection', ownPlace);

  const asset = await api.call('create_asset', PROJECT, {
    body: {
      name: 'orders',
      type: 'FILE',
      payload: { path: 'orders.csv' },
      connection_id: global.id,
      tags: ['shop', 'openlineage:s3://lake deliveries/orders.csv', 'dbt:model.shop.orders'],
      options: { id_attributes: ['code'], find_wrong_cells: 'true' },
    },
  });
  const orders = { asset_id: asset.id };
  const ordersPlace = { ...PROJECT, ...orders };
  await api.call('get_asset', ordersPlace);
  await api.call('update_asset', ordersPlace, { body: { description: 'One row for each order' } });
  await api.call('put_attributes', orders, { body: { all: true } });
  await api.call('list_attributes', orders);
  await api.call('put_schedule', ordersPlace, { body: { schedule: '0 6 * * *' } });
  await api.call('get_schedule', ordersPlace);
  const service = { name: 'vectors', type: 'VECTOR_COLLECTION', payload: { url: collections } } as const;
  const embedding = await api.call('create_connection', {}, { body: service });
  const articles = await api.call('create_asset', PROJECT, {
    body: { name: 'articles', type: 'VECTOR_COLLECTION', connection_id: embedding.id, payload: { collection: 'articles' } },
  });
  const articlesPlace = { ...PROJECT, asset_id: articles.id };
  await api.call('update_asset', articlesPlace, { body: { options: { text_members: { title: 'headline' } } } });
  await api.call('delete_asset', articlesPlace);
  await api.call('delete_connection', { connection_id: embedding.id });
  const upload = await api.call('create_upload', {}, { query: { name: 'shops.csv' }, body: Buffer.from('id,city\n1,Hamburg\n2,Lyon\n') });
  await api.call('list_uploads', {});
  const shops = await api.call('create_asset', PROJECT, {
    body: { name: 'shops', type: 'UPLOAD', payload: upload.payload, tags: ['dbt:source.shop.raw.shops'] },
  });
  await api.call('put_lineage', orders, { body: { parents: [shops.id] } });
  await api.call('get_lineage', orders);
  const city = { attribute: 'city', sources: [{ asset_id: shops.id, attribute: 'city' }] };
  await api.call('put_column_lineage', orders, { body: { columns: [city] } });
  await api.call('get_column_lineage', orders);
  const written = { namespace: 's3://lake', name: 'deliveries/orders.csv' };
  const fields = { shop: { inputFields: [{ namespace: 's3://lake', name: 'raw/shops.csv', field: 'city' }] } };
  await api.call(
    'post_openlineage',
    {},
    {
      body: {
        eventType: 'COMPLETE',
        inputs: [{ namespace: 's3://lake', name: 'raw/shops.csv' }],
        outputs: [{ ...written, facets: { columnLineage: { fields } } }],
      },
    },
  );
  const model = { resource_type: 'model', database: 'shop', schema: 'public', name: 'orders' };
  await api.call(
    'post_dbt_manifest',
    {},
    {
      body: {
        nodes: {
          'model.shop.orders': {
            ...model,
            depends_on: { nodes: ['source.shop.raw.shops'] },
            compiled_code: 'select s.city as shop from "shop"."raw"."shops" s',
          },
        },
        sources: { 'source.shop.raw.shops': { database: 'shop', schema: 'raw', name: 'shops' } },
      },
    },
  );
  await api.call('list_assets', {});
  await api.call('list_project_assets', PROJECT);

  await channelsStory(api, peer);
  const template = await ticketsStory(api, peer);
  await configurationStory(api, orders, store);

  const rule = { expression: 'VALIDATE amount EXPECT VALUE > 0' };
  const monitor = await api.call('create_monitor', orders, {
    body: { type: 'RULE', name: 'Amounts are positive', enabled: true, impact: 'HIGH', monitor: rule },
  });
  const watch = { ...orders, monitor_id: monitor.id };
  await api.call('get_monitor', watch);
  await api.call('list_monitors', orders);
  await api.call('list_tenant_monitors', {}, { query: { limit: '2' } });
  const {
    type: _type,
    id: _id,
    created_by: _by,
    created_at: _at,
    modified_by: _mby,
    modified_at: _mat,
    asset_id: _asset,
    ...kept
  } = monitor;
  await api.call('update_monitor', watch, {
    body: {
      ...kept,
      monitor: rule,
      tags: ['money'],
      notification: { send_notifications: true, notification_channel_names: ['data team'] },
    },
  });

  const first = await api.call('start_scan', orders);
  await untilEnded(api, first.job_id);
  await writeFile(join(folder, 'orders.csv'), ordersOf(610, true));
  const { job_id: jobId } = await api.call('start_scan', orders);
  await untilEnded(api, jobId);
  const job = { job_id: jobId };
  await api.call('get_job', job);
  await api.call('list_jobs', orders);
  await api.call('list_tenant_jobs', {}, { query: { limit: '2' } });
  await api.call('list_samples', job, { query: { limit: '2' } });
  await api.call('list_schema_changes', job);
  await api.call('list_job_checks', job);
  await api.call('list_checks', {}, { query: { limit: '2' } });
  await api.call('list_metrics', {}, { query: { asset_id: asset.id, metric_name: 'RECORD_COUNT', limit: '2' } });
  await api.call('preview_monitor', orders, { body: { type: 'PREDEFINED_METRIC', monitor: { predefined_metric: 'RECORD_COUNT' } } });
  const { cells } = await api.call('list_wrong_cells', orders, { query: { limit: '1' } });
  const [cell] = cells;
  if (cell === undefined) throw new Error('no cell looks wrong');
  await api.call('put_cell_verdict', { ...orders, cell_id: cell.id }, { body: { verdict: 'WRONG' } });
  const { rules } = await api.call('list_suggested_rules', orders);
  const [suggested] = rules;
  if (suggested === undefined) throw new Error('no rule is suggested');
  await api.call('accept_suggested_rule', { ...orders, rule_id: suggested.id }, { body: { name: 'Shops are known by their city' } });

  await incidentsStory(api, { orders, jobId, template });
  await api.call('list_dq_scores', {});
  await api.call('get_dq_score_value', orders);
  await api.call('list_dq_score_history', orders, { query: { limit: '1' } });
  await api.call('list_background_errors', {});

  const { job_id: cancelled } = await api.call('start_scan', orders);
  await api.call('cancel_job', { job_id: cancelled });
  await api.call('delete_monitor', watch);
  await api.call('delete_channel', { channel_name: 'data team' });
  await api.call('delete_schedule', ordersPlace);
  await api.call('move_assets', shop, { body: { source_project_id: DEFAULT_PROJECT, source_asset_ids: [shops.id] } });
  await api.call('delete_asset', { ...shop, asset_id: shops.id });
  await api.call('delete_upload', { upload_id: upload.id });
  await untilEnded(api, cancelled);
  await api.call('delete_asset', ordersPlace);
  await api.call('delete_connection', connection);
  await api.call('delete_project', shop);
  await api.call('delete_user', { user_email: MEMBER });
}

async function channelsStory(api: ObservabilityApi, peer: string): Promise<void> {
  const channel = { channel_name: 'data team' };
  await api.call('create_channel', {}, { body: { name: 'data team', type: 'WEBHOOK', addresses: [`${peer}/hooks/data-team`] } });
  await api.call('list_channels', {});
  await api.call('get_channel', channel);
  await api.call('update_channel', channel, { body: { type: 'WEBHOOK', addresses: [`${peer}/hooks/data`] } });
  await api.call('test_channel', channel);
  await api.call('rotate_channel_secret', channel);
}

async function ticketsStory(api: ObservabilityApi, peer: string): Promise<number> {
  await api.call('put_tracker_connection', {}, { body: { base_url: peer, email: 'bot@example.com', api_token: 'token' } });
  await api.call('get_tracker_connection', {});
  await api.call('test_tracker_connection', {});
  const props = { tracker_project_id: '10000', tracker_issue_type_id: '10001', custom_fields: { priority: { name: 'High' } } };
  const body = { name: 'Data incident', type: 'TRACKER', props } as const;
  const { id } = await api.call('create_ticket_template', {}, { body });
  await api.call('list_ticket_templates', {});
  await api.call('get_ticket_template', { template_id: id });
  await api.call('update_ticket_template', { template_id: id }, { body: { ...body, description: 'For the owners of the source' } });
  return id;
}

async function configurationStory(api: ObservabilityApi, orders: { readonly asset_id: string }, store: Place['store']): Promise<void> {
  const spark = { min_instance_count: 1, max_instance_count: 4, worker_instance_option: 'SPOT' } as const;
  await api.call(
    'put_spark_job_config',
    {},
    { body: { spark_properties: { 'spark.sql.shuffle.partitions': '64' }, cluster_b_config: spark } },
  );
  await api.call('get_spark_job_config', {});
  await api.call('delete_spark_job_config', {});
  const weights = { completeness: 4, accuracy: 3, consistency: 2, timeliness: 1 };
  await api.call('put_dq_score', orders, { body: { enabled: true, weights } });
  await api.call('get_dq_score', orders);
  await api.call('delete_dq_score', orders);
  const reports = await api.call(
    'create_connection',
    {},
    {
      body: {
        name: 'reports',
        type: 'S3',
        payload: store,
        credential: { type: 'AWS', payload: { access_key: 'S3RVER', secret_key: 'S3RVER' } },
      },
    },
  );
  await api.call('put_dq_reporting', {}, { body: { enabled: true, path: 'scans', connection_id: reports.id } });
  await api.call('get_dq_reporting', {});
  await api.call('delete_dq_reporting', {});
}

type Scanned = { readonly orders: { readonly asset_id: string }; readonly jobId: string; readonly template: number };

async function incidentsStory(api: ObservabilityApi, { orders, jobId, template }: Scanned): Promise<void> {
  const [listed] = await api.call('list_incidents', {}, { query: { alert_policy_ids: '1', limit: '1' } });
  if (listed === undefined) throw new Error('the rule that fails opened no incident');
  const incident = { incident_id: listed.id };
  const detail = await api.call('get_incident', incident);
  await api.call('incident_distribution', {});
  await api.call('incident_summary', {});
  const alerts = await api.call('job_alerts', orders, { query: { job_id: jobId } });
  const [alert] = alerts;
  if (alert === undefined) throw new Error('the scan raised no alert');
  await api.call(
    'alerts_by_filters',
    {},
    {
      body: {
        sources: [orders.asset_id],
        upload_dates: [detail.last_upload_timestamp],
        violation_names: detail.history.flatMap(({ alert_refs }) => alert_refs.map(({ violation_name }) => violation_name)),
      },
    },
  );
  await api.call('put_incident_assignee', incident, { body: { assignee: MEMBER } });
  await api.call('create_incident_comment', incident, { body: { text: 'The supplier was informed.' } });
  await api.call('list_incident_comments', incident);
  await api.call('put_incident_handling', incident, { body: { state: 'ACKNOWLEDGED', note: 'A refund was booked as an order.' } });
  await api.call('bulk_incidents', {}, { body: { incident_ids: [listed.id], action: 'ACKNOWLEDGED' } });
  await api.call('incident_story', incident);
  await api.call('similar_incidents', incident);

  await api.call('preview_ticket', {}, { body: { template_id: template, incident_id: listed.id } });
  await api.call('create_ticket', incident, { body: { template_id: template } });
  await until('the ticket is there', WAIT_MS, async () => {
    const { ticket_id: ticket } = await api.call('get_incident', incident);
    return ticket === 0 ? undefined : ticket;
  });
  await api.call('get_ticket', incident);
  const deliveries = await until('the messages have arrived', WAIT_MS, async () => {
    const all = await api.call('list_deliveries', {}, { query: { limit: '2' } });
    return all.length > 0 && all.every(({ status }) => status === 'DELIVERED') ? all : undefined;
  });
  await api.call('replay_delivery', { delivery_id: deliveries[0]?.id ?? '' });
  await api.call('unlink_ticket', incident);
  await api.call('delete_ticket_template', { template_id: template });
  await api.call('delete_tracker_connection', {});

  await api.call('close_incident', incident, { body: { comment: 'Fixed at the source.' } });
  await api.call('reopen_incident', incident, { body: { comment: 'It came again.' } });
  await api.call('incident_activity', incident);
  await api.call('list_audit', {}, { query: { limit: '2' } });
  const count = { metric_name: 'RECORD_COUNT', metric_aggregation: 'count' } as const;
  await api.call(
    'put_metric_exclusion',
    {},
    {
      body: { asset_id: orders.asset_id, ...count, job_id: jobId, is_excluded: true, comment: 'A delivery that was sent twice.' },
    },
  );
  await api.call('list_metric_exclusions', {}, { query: { asset_id: orders.asset_id } });
  await api.call('backfill_incidents', {});
}
