// SPDX-License-Identifier: Apache-2.0
import type { AddressInfo } from 'node:net';
import { createOutboundGuard } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { createConnectors, type OpenConnection } from '@sextant/observability-connectors';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { monitorBody, templateBody } from '../testing/seeded-tenant.ts';
import { type TestService, testService } from '../testing/test-service.ts';

let service: TestService;
let admin: { readonly [name: string]: string };
let assetId: string;
const call = (method: string, path: string, body?: unknown) => service.call(method, path, body, admin);
const BACKEND = '/api/backend/default/configuration';

beforeAll(async () => {
  service = await testService({ environment: { OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true' } });
  admin = await service.login();
  const asset = await call('POST', `${BACKEND}/projects/0/assets`, { name: 'orders', type: 'UPLOAD', payload: {} });
  assetId = (asset.body as { id: string }).id;
});
afterAll(async () => service[Symbol.asyncDispose]());

describe.each(['/configuration/tenants/default/spark-job-config', '/api/backend/configuration/tenants/default/spark-job-config'])(
  'the spark job configuration at %s',
  (path) => {
    test('is replaced block by block; null clears a block; deleting leaves an empty object', async () => {
      const body = async (method: string, sent?: unknown) => {
        const reply = await call(method, path, sent);
        expect(reply.status).toBe(200);
        return reply.body;
      };
      await body('DELETE');
      expect(await body('GET')).toEqual({});
      const a = { master_node_type: 'n2', spark_master_disk_size_in_gb: 100 };
      const b = { worker_instance_option: 'SPOT', min_instance_count: 1, max_instance_count: 4 };
      expect(await body('PUT', { cluster_a_config: a, spark_properties: { 'spark.driver.memory': '4g' } })).toEqual({
        cluster_a_config: a,
        spark_properties: { 'spark.driver.memory': '4g' },
      });
      expect(await body('PUT', { cluster_b_config: b })).toMatchObject({ cluster_a_config: a, cluster_b_config: b });
      expect(await body('PUT', { cluster_a_config: { worker_node_type: 'n4' }, spark_properties: null })).toEqual({
        cluster_a_config: { worker_node_type: 'n4' },
        cluster_b_config: b,
      });
      expect(await body('GET')).toEqual({ cluster_a_config: { worker_node_type: 'n4' }, cluster_b_config: b });
      await body('PUT', {});
      expect(await body('GET')).toEqual({ cluster_a_config: { worker_node_type: 'n4' }, cluster_b_config: b });
      expect(await body('DELETE')).toEqual({ message: expect.any(String) });
      expect(await body('GET')).toEqual({});
    });

    test.each([
      ['{"cluster_a_config"', 'not valid JSON'],
      [{ cluster_a_config: { spark_master_disk_size_in_gb: 'large' } }, 'cluster_a_config.spark_master_disk_size_in_gb'],
      [{ cluster_a_config: { spark_master_disk_size_in_gb: 1.5 } }, 'cluster_a_config.spark_master_disk_size_in_gb'],
      [{ cluster_b_config: { worker_instance_option: 'CHEAP' } }, 'cluster_b_config.worker_instance_option'],
      [{ cluster_a_config: { spark_worker_disk_size_in_gb: 0 } }, 'cluster_a_config.spark_worker_disk_size_in_gb'],
      [{ cluster_a_config: { autoscale_policy: 'small' } }, 'cluster_a_config.autoscale_policy'],
      [{ cluster_a_config: { disks: 1 } }, 'disks'],
      [{ cluster_b_config: { min_instance_count: -1 } }, 'cluster_b_config.min_instance_count'],
      [{ cluster_c_config: { min_instance_count: 5, max_instance_count: 2 } }, 'cluster_c_config'],
      [{ cluster_c_config: { node_type: 'n', instance_pool_id: 'p' } }, 'node_type'],
      [[], 'body'],
      [
        { cluster_a_config: { master_node_type: 'n1-standard-4' }, spark_properties: { 'spark.driver.memory': '16g' } },
        'spark_properties.spark.driver.memory: 16g is more than the 15 GiB of the node type n1-standard-4',
      ],
      [
        { cluster_b_config: { worker_instance_type: 'm5.xlarge' }, spark_properties: { 'spark.executor.memory': '17408m' } },
        '17408m is more than the 16 GiB of the node type m5.xlarge',
      ],
      [
        { cluster_c_config: { node_type: 'Standard_D4s_v3' }, spark_properties: { 'spark.driver.memory': '1t' } },
        '1t is more than the 16 GiB of the node type Standard_D4s_v3',
      ],
      [{ spark_properties: { 'spark.driver.memory': 'lots' } }, 'expected a size such as 4g'],
      [{ spark_properties: { a: 1 } }, 'spark_properties.a'],
      [{ cluster_d_config: {} }, 'cluster_d_config'],
    ])('refuses %j and names the member', async (sent, place) => {
      expect(await call('PUT', path, sent)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(place), description: 'Bad Request' },
      });
    });
  },
);

describe('the DQ score configuration of an asset', () => {
  const path = () => `${BACKEND}/assets/${assetId}/dq_score`;
  const defaults = { enabled: true, weights: { completeness: 0.25, accuracy: 0.25, consistency: 0.25, timeliness: 0.25 } };

  test('is the default, then what was saved, then the default again', async () => {
    expect((await call('GET', path())).body).toEqual({ dq_score_config: defaults });
    const saved = { enabled: false, weights: { completeness: 0.3, accuracy: 0.3, consistency: 0.2, timeliness: 0.2 } };
    expect((await call('PUT', path(), saved)).body).toEqual({ dq_score_config: saved });
    expect((await call('GET', path())).body).toEqual({ dq_score_config: saved });
    expect((await call('DELETE', path())).body).toEqual({ success: true, message: expect.any(String) });
    expect((await call('GET', path())).body).toEqual({ dq_score_config: defaults });
  });

  test.each([
    [{ weights: defaults.weights }, 'enabled'],
    [{ ...defaults, weights: { ...defaults.weights, accuracy: -1 } }, 'weights.accuracy'],
    [{ ...defaults, weights: { ...defaults.weights, accuracy: '1' } }, 'weights.accuracy'],
    [{ ...defaults, weights: { completeness: 1 } }, 'accuracy'],
    [{ ...defaults, weights: { completeness: 0, accuracy: 0, consistency: 0, timeliness: 0 } }, 'weight'],
    [{ ...defaults, weights: { ...defaults.weights, beauty: 1 } }, 'beauty'],
    [{ ...defaults, enabled: 'yes' }, 'enabled'],
  ])('refuses %j and names %s', async (sent, member) => {
    expect(await call('PUT', path(), sent)).toMatchObject({ status: 400, body: { message: expect.stringContaining(member) } });
  });

  test('takes weights of any scale', async () => {
    const saved = { enabled: true, weights: { completeness: 30, accuracy: 40, consistency: 20, timeliness: 10 } };
    expect((await call('PUT', path(), saved)).body).toEqual({ dq_score_config: saved });
    await call('DELETE', path());
  });

  test.each(['GET', 'PUT', 'DELETE'])('%s of an unknown asset is 404', async (method) => {
    const reply = await call(method, `${BACKEND}/assets/unknown/dq_score`, method === 'PUT' ? defaults : undefined);
    expect(reply).toMatchObject({ status: 404, body: { description: 'Not Found', message: expect.stringContaining('unknown') } });
  });
});

describe('the DQ reporting configuration', () => {
  const path = '/default/configuration/dq_reporting';
  const connection = async (body: object, project?: number) => {
    const place = project === undefined ? 'connections' : `projects/${project}/connections`;
    const reply = await call('POST', `${BACKEND}/${place}`, { name: 'store', ...body });
    expect(reply).toMatchObject({ status: 200 });
    return (reply.body as { id: number }).id;
  };
  const KEYS = { access_key: 'S3RVER', secret_key: 'S3RVER' };
  let store: Omit<OpenConnection, 'id'>;
  let files: TemporaryDirectory;
  let s3: S3rver;
  beforeAll(async () => {
    files = await temporaryDirectory();
    const configureBuckets = [{ name: 'reports', configs: [] }];
    s3 = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: files.path, configureBuckets });
    const { port }: AddressInfo = await s3.run();
    store = {
      type: 'S3',
      payload: { bucket: 'reports', endpoint: `http://127.0.0.1:${port}` },
      credential: { type: 'AWS', payload: KEYS },
    };
  });
  const putObject = async (key: string) => {
    const outbound = createOutboundGuard({ allowPrivateNetworks: true });
    const connectors = await createConnectors({ uploads: { directory: `${files.path}-uploads` }, outbound, clock: systemClock });
    const open = { id: 1, ...store };
    await connectors.objectStoreOf('S3').write(open, key, Buffer.from(''), AbortSignal.timeout(10_000));
    outbound.close();
  };
  afterAll(async () => {
    await s3.close();
    await files[Symbol.asyncDispose]();
  });

  test('needs the permission to write', async () => {
    const wrong = { ...store, credential: { type: 'AWS', payload: { ...KEYS, access_key: 'WRONG' } } };
    const nowhere = { ...store, payload: { bucket: 'nowhere', endpoint: 'http://127.0.0.1:1' } };
    for (const refused of [wrong, nowhere]) {
      const connection_id = await connection(refused);
      expect(await call('PUT', path, { enabled: true, path: 'x', connection_id })).toMatchObject({ status: 400 });
      expect((await call('GET', path)).body).toEqual({});
    }
  });

  test('is saved, returned and removed', async () => {
    expect((await call('GET', path)).body).toEqual({});
    const config = { enabled: true, path: 'reports/dq', connection_id: await connection(store) };
    expect(await call('PUT', path, config)).toMatchObject({ status: 400, body: { message: expect.stringContaining('reports/dq') } });
    await putObject('reports/dq/.keep');
    expect(await call('PUT', path, config)).toMatchObject({ status: 200, body: config });
    expect((await call('GET', `/api/backend${path}`)).body).toEqual(config);
    expect(await call('DELETE', `${BACKEND}/connections/${config.connection_id}`)).toMatchObject({
      status: 409,
      body: { description: 'Conflict' },
    });
    expect((await call('DELETE', path)).body).toEqual({ message: expect.any(String) });
    expect((await call('GET', path)).body).toEqual({});
    expect(await call('DELETE', `${BACKEND}/connections/${config.connection_id}`)).toMatchObject({ status: 200 });
  });

  test('needs a global connection to an object store', async () => {
    const ofProject = await connection(store, 0);
    const warehouse = await connection({ type: 'BIGQUERY', payload: { project: 'p' } });
    for (const [connection_id, sentence] of [
      [ofProject, ''],
      [warehouse, 'BIGQUERY is not an object store'],
    ] as const) {
      const sent = { enabled: true, path: 'x', connection_id };
      expect(await call('PUT', path, sent)).toMatchObject({ status: 400, body: { message: expect.stringContaining(sentence) } });
    }
    expect(await call('PUT', path, { enabled: true, path: 'x', connection_id: 999_999 })).toMatchObject({ status: 404 });
  });

  test.each([
    ...['/absolute', '../up', 'a/../b', 'a/../../b', '', 's3://bucket/x'].map((written) => ['path', { path: written }] as const),
    ['connection_id', { connection_id: '1' }],
    ['enabled', { enabled: undefined }],
  ] as const)('refuses a wrong %s: %j', async (member, wrong) => {
    const sent = { enabled: true, path: 'x', connection_id: 1, ...wrong };
    expect(await call('PUT', path, sent)).toMatchObject({ status: 400, body: { message: expect.stringContaining(member) } });
  });
});

describe('ticket templates', () => {
  const path = '/default/configuration/integrations/tickets/template';

  test('are created, listed newest first, read, replaced and deleted', async () => {
    const first = await call('POST', path, templateBody('first'));
    const second = await call('POST', `/api/backend${path}`, { ...templateBody('second'), description: 'of the second kind' });
    const [a, b] = [first.body as { id: number }, second.body as { id: number }];
    expect(first.body).toEqual({ ...templateBody('first'), id: expect.any(Number), description: null });
    const listed = await call('GET', path);
    expect((listed.body as { id: number }[]).map(({ id }) => id)).toEqual([b.id, a.id]);
    const replaced = { name: 'renamed', type: 'TRACKER', props: { tracker_project_id: '1', tracker_issue_type_id: '2' } };
    expect((await call('PUT', `${path}/${b.id}`, replaced)).body).toEqual({
      id: b.id,
      ...replaced,
      description: null,
      props: { ...replaced.props, custom_fields: {} },
    });
    expect((await call('GET', `${path}/${b.id}`)).body).toMatchObject({ name: 'renamed' });
    expect(await call('POST', path, templateBody('first'))).toMatchObject({ status: 409 });
    expect(await call('PUT', `${path}/${b.id}`, templateBody('first'))).toMatchObject({ status: 409 });
    expect(await call('DELETE', `${path}/${a.id}`)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect(await call('GET', `${path}/${a.id}`)).toMatchObject({ status: 404 });
  });

  test.each([
    [{ ...templateBody('x'), type: 'OTHER' }, 'type'],
    [{ ...templateBody('x'), props: {} }, 'props'],
    [{ type: 'TRACKER', props: templateBody('x').props }, 'name'],
    [{ ...templateBody('x'), props: { ...templateBody('x').props, tracker_project_id: undefined } }, 'tracker_project_id'],
    [{ ...templateBody('x'), props: { ...templateBody('x').props, tracker_issue_type_id: 7 } }, 'props.tracker_issue_type_id'],
    [{ ...templateBody('x'), props: { ...templateBody('x').props, custom_fields: [] } }, 'props.custom_fields'],
    [{ ...templateBody('x'), colour: 'red' }, 'colour'],
  ])('refuse %j', async (sent, place) => {
    expect(await call('POST', path, sent)).toMatchObject({ status: 400, body: { message: expect.stringContaining(place) } });
  });

  test.each(['0', '999999', 'abc', '-1', '1.5'])('template %s is not there', async (id) => {
    expect(await call('GET', `${path}/${id}`)).toMatchObject({ status: 404 });
    expect(await call('PUT', `${path}/${id}`, templateBody('x'))).toMatchObject({ status: 404 });
    expect(await call('DELETE', `${path}/${id}`)).toMatchObject({ status: 404 });
  });
});

describe('monitors', () => {
  const path = () => `/default/configuration/assets/${assetId}/monitors`;

  test('pre-built ones stand on every asset with learned or fixed bounds, PII and differences off; they change but stay', async () => {
    const monitors = (await call('GET', path())).body as { id: string; enabled: boolean; threshold: { threshold_type: string } }[];
    expect(monitors.length).toBeGreaterThanOrEqual(18);
    for (const { id, enabled, threshold } of monitors) {
      expect(id).toMatch(/^[A-Z_]+$/);
      expect(threshold.threshold_type, id).toBe(['REJECTED_ROWS_VIOLATION', 'TYPE_MISMATCH_VIOLATION'].includes(id) ? 'STATIC' : 'ML');
      expect(enabled).toBe(!['PII_EXPOSURE', 'DATA_DIFFERENCE'].includes(id));
    }
    expect(await call('DELETE', `${path()}/PII_EXPOSURE`)).toMatchObject({ status: 409 });
  });

  test('are created, replaced and deleted; their type is fixed', async () => {
    const rule = {
      ...monitorBody('positive'),
      type: 'RULE',
      impact: 'HIGH',
      monitor: { expression: 'VALIDATE `amount` EXPECT NUMERIC_VALUE >= 0' },
    };
    const created = await call('POST', path(), rule);
    expect(created).toMatchObject({
      status: 200,
      body: { type: 'RULE', impact: 'HIGH', monitor: { options: { ignore_nulls: false, empty_values: [] } } },
    });
    const { id } = created.body as { id: string };
    const { type: _type, ...change } = rule;
    expect(await call('PUT', `${path()}/${id}`, { ...change, name: 'renamed', enabled: false })).toMatchObject({
      status: 200,
      body: { id, name: 'renamed', enabled: false },
    });
    expect(await call('PUT', `${path()}/${id}`, rule)).toMatchObject({ status: 400, body: { message: expect.stringContaining('type') } });
    expect(await call('PUT', `${path()}/${id}`, { ...change, monitor: { predefined_metric: 'COMPLETENESS' } })).toMatchObject({
      status: 400,
    });
    expect(await call('DELETE', `${path()}/${id}`)).toMatchObject({ status: 200 });
    expect(await call('GET', `${path()}/${id}`)).toMatchObject({ status: 404 });
  });

  test.each([
    ['RULE', 'VALIDATE name EXPCT IS_NULL', 'line 1, column 15'],
    ['RULE', '', 'expression'],
    ['METRIC', 'sum(`a`', 'line 1'],
  ])('a %s of %j is refused with its place', async (type, expression, place) => {
    const sent = { ...monitorBody('broken'), type, monitor: { expression } };
    expect(await call('POST', path(), sent)).toMatchObject({ status: 400, body: { message: expect.stringContaining(place) } });
  });

  test('raw SQL is one reading statement', async () => {
    const monitor = { expression: 'DROP TABLE x', raw_sql: true };
    expect(await call('POST', path(), { ...monitorBody('sql'), type: 'METRIC', monitor })).toMatchObject({ status: 400 });
    expect(await call('POST', `${path()}/preview`, { type: 'METRIC', monitor })).toMatchObject({ status: 400 });
    const good = { expression: 'SELECT count(*) FROM asset', raw_sql: true };
    expect(await call('POST', `${path()}/preview`, { type: 'METRIC', monitor: good })).toMatchObject({
      status: 200,
      body: { history: [] },
    });
  });

  test('name only channels that are there, and keep them', async () => {
    const sent = { ...monitorBody('notifies'), notification: { send_notifications: true, notification_channel_names: ['ops'] } };
    expect(await call('POST', path(), sent)).toMatchObject({ status: 400, body: { message: expect.stringContaining('ops') } });
    const channels = `${BACKEND}/alert_channels`;
    expect(await call('POST', channels, { name: 'ops', type: 'EMAIL', addresses: ['ops@example.com'] })).toMatchObject({ status: 200 });
    expect(await call('POST', path(), sent)).toMatchObject({ status: 200 });
    expect(await call('DELETE', `${channels}/ops`)).toMatchObject({ status: 409 });
  });
});
