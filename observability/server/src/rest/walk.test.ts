// SPDX-License-Identifier: Apache-2.0
/** Every route of the service, called by those who must not: nobody, another tenant, too small a role. */
import { observabilityDocument, type Role } from '@sextant/contracts-observability';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../auth/roles.ts';
import { MARKER, monitorBody, seedTenant, templateBody } from '../testing/seeded-tenant.ts';
import { type TestService, testService } from '../testing/test-service.ts';
import { type EndpointRow, endpointRows, pathsOf } from './routes.ts';

type Headers = { readonly [name: string]: string };

let service: TestService;
let params: { readonly [name: string]: string };
let roles: { readonly [Name in Role]: Headers };
let stranger: Headers;
let operator: Headers;

beforeAll(async () => {
  service = await testService();
  ({ params } = await seedTenant(service));
  stranger = await service.createTenant('other');
  operator = { authorization: `Bearer ${service.platformToken}` };
  roles = {
    admin: await service.loginAs('admin'),
    editor: await service.loginAs('editor'),
    operator: await service.loginAs('operator'),
    viewer: await service.loginAs('viewer'),
  };
});
afterAll(async () => service[Symbol.asyncDispose]());

type Call = EndpointRow & { readonly path: string };
const calls: readonly Call[] = endpointRows.flatMap((row) => pathsOf(row.endpoint).map((path) => ({ ...row, path })));
const everyPath = calls.filter(({ endpoint }) => endpoint.needs.scope !== 'public');
/** Who may call an operation does not depend on which of its paths is taken. */
const guarded = everyPath.filter(({ endpoint, path }) => path === endpoint.path);
const ofTenant = guarded.filter(({ endpoint }) => endpoint.needs.scope !== 'platform');
const named = (rows: readonly Call[]) => rows.map((row) => [`${row.endpoint.method} ${row.path}`, row] as const);

const BODIES: { readonly [operation: string]: unknown } = {
  create_api_key: { name: 'x' },
  update_user: { first_name: 'a', last_name: 'b', role: 'admin' },
  assign_role: { role: 'admin' },
  change_password: { old_password: 'Correct-Horse-42', new_password: 'Correct-Horse-43' },
  create_user: { email: 'new@example.com', first_name: 'a', last_name: 'b', role: 'viewer' },
  create_project: { name: 'x' },
  update_project: { name: 'x' },
  create_connection: { name: 'x', type: 'SNOWFLAKE', payload: { account: 'a' } },
  create_project_connection: { name: 'x', type: 'SNOWFLAKE', payload: { account: 'a' } },
  update_connection: { name: 'x' },
  update_project_connection: { name: 'x' },
  create_asset: { name: 'x', type: 'UPLOAD', payload: {} },
  update_asset: { name: 'x' },
  put_attributes: { all: true },
  put_lineage: { parents: [] },
  put_column_lineage: { columns: [] },
  post_openlineage: {},
  post_dbt_manifest: { nodes: {} },
  put_schedule: { schedule: '0 6 * * *' },
  create_monitor: monitorBody('x'),
  update_monitor: { ...monitorBody('x'), type: undefined },
  preview_monitor: { type: 'METRIC', monitor: { expression: 'count(*)' } },
  alerts_by_filters: { sources: [], upload_dates: [], violation_names: [] },
  restore_admin: { tenant: 'nowhere', admin_email: 'a@b.example' },
  put_incident_assignee: { assignee: null },
  put_incident_handling: { state: null },
  bulk_incidents: { incident_ids: [999_999], action: 'CLEAR' },
  create_incident_comment: { text: 'x' },
  put_metric_exclusion: { asset_id: 'x', metric_name: 'MEAN', metric_aggregation: 'mean', job_id: 'x', is_excluded: true },
  create_ticket_template: templateBody('x'),
  put_cell_verdict: { verdict: 'WRONG' },
  update_ticket_template: templateBody('x'),
  put_spark_job_config: {},
  put_dq_score: { enabled: true, weights: { completeness: 1, accuracy: 1, consistency: 1, timeliness: 1 } },
  create_channel: { name: 'x', type: 'EMAIL', addresses: ['a@example.com'] },
  update_channel: { type: 'EMAIL', addresses: ['a@example.com'] },
  put_tracker_connection: { base_url: 'https://tracker.example.com', api_token: 'x' },
  preview_ticket: { template_id: 1 },
  create_ticket: { template_id: 1 },
};

const QUERIES: { readonly [operation: string]: string } = {
  create_upload: '?name=x.csv',
  job_alerts: '?job_id=x',
  list_metrics: '?asset_id=x',
  list_metric_exclusions: '?asset_id=x',
};

function send({ id, endpoint, path }: Call, headers: Headers, tenant = 'default') {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    name === 'tenant' ? tenant : encodeURIComponent(params[name] ?? 'x'),
  );
  const body =
    id === 'move_assets' ? moveBody() : (BODIES[id] ?? (endpoint.method === 'GET' || endpoint.method === 'DELETE' ? undefined : {}));
  return service.call(endpoint.method, filled + (QUERIES[id] ?? ''), body, headers);
}

function moveBody() {
  return { source_project_id: 0, source_asset_ids: [params.asset_id] };
}

test('the document has every route of the table', () => {
  const paths = Object.keys(observabilityDocument({ version: '0' }).paths);
  expect(paths).toEqual(expect.arrayContaining([...new Set(endpointRows.map(({ endpoint }) => endpoint.path))]));
});

describe('without a credential: 401', () => {
  const refused = { status: 401, body: { message: expect.stringContaining('credential'), description: 'Unauthorized' } };

  test.each(named(everyPath))('%s', async (_name, row) => {
    const reply = await send(row, {});
    expect(reply).toMatchObject(refused);
    expect(reply.text).not.toContain(MARKER);
  });

  const nonsense: readonly Headers[] = [
    { authorization: 'Bearer nonsense' },
    { authorization: 'Basic YTpi' },
    { 'x-tlm-key': 'sxk_nonsense' },
  ];
  // The first is of the platform, which has a token of its own, and the last of a tenant.
  const ofEachKind = [guarded.find(({ endpoint }) => endpoint.needs.scope === 'platform'), ofTenant.at(-1)].filter(
    (row) => row !== undefined,
  );

  test.each(named(ofEachKind))('%s with nonsense', async (_name, row) => {
    for (const headers of nonsense) expect(await send(row, headers)).toMatchObject(refused);
  });
});

describe('with the credential of another tenant: 403, and nothing is said', () => {
  test.each(named(guarded))('%s', async (_name, row) => {
    const reply = await send(row, stranger);
    expect(reply).toMatchObject({ status: 403, body: { description: 'Forbidden' } });
    expect(reply.text).not.toContain(MARKER);
  });
});

describe('in a tenant that is not there: 404', () => {
  test.each(named(ofTenant))('%s', async (_name, row) => {
    expect(await send(row, stranger, 'nowhere')).toMatchObject({ status: 404, body: { message: 'Tenant not found: nowhere' } });
  });
});

describe('with the token of the platform operator, who has no place in any tenant: 403', () => {
  test.each(named(ofTenant))('%s', async (_name, row) => {
    expect(await send(row, operator)).toMatchObject({ status: 403 });
  });
});

describe('with too small a role: 403', () => {
  // Who may less than the largest of them may not do it either.
  const cases = guarded.flatMap((row) =>
    smallerRoles(row)
      .slice(0, 1)
      .map((role) => [`${row.endpoint.method} ${row.path}`, role, row] as const),
  );
  test.each(cases)('%s as %s', async (_name, role, row) => {
    expect(await send(row, roles[role])).toMatchObject({ status: 403, body: { description: 'Forbidden' } });
  });
});

function smallerRoles({ endpoint: { needs } }: Call): readonly Role[] {
  switch (needs.scope) {
    case 'public':
      return [];
    case 'platform':
      return ROLES;
    case 'self':
      return ROLES.filter((role) => role !== 'admin');
    case 'tenant':
    case 'projects':
    case 'project':
      return ROLES.slice(ROLES.indexOf(needs.role) + 1);
  }
}

describe('objects of another tenant are not there', () => {
  const objects = ofTenant.filter(({ path }) => /\{(?!tenant\})/.test(path));
  test.each(named(objects))('%s', async (_name, row) => {
    // Project 0 is in every tenant; the asset and connection of the path are not.
    const reply = await send(row, stranger, 'other');
    expect(reply.text).not.toContain(`"${MARKER}"`);
    expect([reply.status, reply.text]).toEqual([404, expect.stringContaining('"Not Found"')]);
  });
});

describe('lists of another tenant are its own', () => {
  const lists = ofTenant.filter(({ path, endpoint }) => !/\{(?!tenant\})/.test(path) && endpoint.method === 'GET');
  test.each(named(lists))('%s', async (_name, row) => {
    const reply = await send(row, stranger, 'other');
    expect(reply.text).not.toContain(MARKER);
    expect([200, 404]).toContain(reply.status);
  });
});

test('after the walk the tenant still has all it had', async () => {
  const admin = roles.admin;
  const paths = [
    `/api/backend/default/configuration/projects/${params.project_id}/assets/${params.asset_id}`,
    `/api/backend/default/configuration/projects/${params.project_id}/connections/${params.connection_id}`,
    `/default/configuration/assets/${params.asset_id}/monitors/${params.monitor_id}`,
    `/default/configuration/integrations/tickets/template/${params.template_id}`,
    `/auth/default/apiKeys/${params.key_id}`,
    `/auth/default/users/${params.user_email}`,
    `/api/backend/default/incidents/${params.incident_id}`,
    `/api/backend/default/configuration/alert_channels/${params.channel_name}`,
  ];
  for (const path of paths) expect([path, await service.call('GET', path, undefined, admin)]).toMatchObject([path, { status: 200 }]);
});
