// SPDX-License-Identifier: Apache-2.0
/** The service over PostgreSQL, as two processes would share it. */
import { missingPostgres, type SharedPostgres, sharedPostgres, temporaryDirectory } from '@sextant/foundation-testing';
import S3rver from 's3rver';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { testService } from './testing/test-service.ts';

const missing = missingPostgres();

describe.skipIf(missing !== undefined)(`over PostgreSQL${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  let postgres: SharedPostgres;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('two services share tenants, tokens and jobs, and each job runs once', async () => {
    await using uploads = await temporaryDirectory();
    const databaseUrl = await postgres.createDatabase('shared');
    const environment = {
      OBSERVABILITY_UPLOAD_DIR: uploads.path,
      OBSERVABILITY_PLATFORM_TOKEN: 'p'.repeat(32),
      DATABASE_URL: databaseUrl,
      OBSERVABILITY_ENCRYPTION_KEY: 'k'.repeat(32),
      OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true',
    };
    await using one = await testService({ environment });
    await using other = await testService({ environment });
    const admin = await one.login();
    const { host, port, user, password } = postgres;
    const database = new URL(databaseUrl).pathname.slice(1);
    const credential = { type: 'SIMPLE', payload: { username: user, password } };
    const connection = { name: 'self', type: 'POSTGRESQL', payload: { host, port, database, ssl: false }, credential };
    const made = await one.call('POST', '/api/backend/default/configuration/connections', connection, admin);
    const connectionId = (made.body as { id: number }).id;
    const tested = await other.call('POST', `/api/backend/default/configuration/connections/${connectionId}/test`, undefined, admin);
    expect(tested.body).toEqual({ success: true, message: expect.any(String) });

    const asset = { name: 'tenants', type: 'POSTGRESQL', payload: { schema: 'public', table: 'tenants' }, connection_id: connectionId };
    const created = await one.call('POST', '/api/backend/default/configuration/projects/0/assets', asset, admin);
    expect(created).toMatchObject({
      status: 200,
      body: { attributes: expect.arrayContaining([expect.objectContaining({ name: 'name' })]) },
    });
    const { id } = created.body as { id: string };
    const monitor = {
      type: 'PREDEFINED_METRIC',
      name: 'no tenants',
      enabled: true,
      monitor: { predefined_metric: 'RECORD_COUNT', attributes: [] },
      threshold: { threshold_type: 'STATIC', threshold2: 0 },
    };
    await one.call('POST', `/default/configuration/assets/${id}/monitors`, monitor, admin);
    const start = async (service: typeof one) => {
      const { body } = await service.call('POST', `/default/assets/${id}/batch_data`, {}, admin);
      return (body as { job_id: string }).job_id;
    };
    const jobs = await Promise.all([one, other, one, other].map(start));
    for (const job of jobs) expect(await other.untilEnded(job, admin)).toMatchObject({ status: 'FINISHED' });
    const metrics = await one.call('GET', `/default/metrics?asset_id=${id}&metric_name=RECORD_COUNT`, undefined, admin);
    expect((metrics.body as { job_id: string }[]).map(({ job_id }) => job_id).toSorted()).toEqual(jobs.toSorted());

    // Whichever service ran a scan, its alert is in the one incident.
    const incidents = await other.call('GET', '/api/backend/default/incidents?text_to_search=no%20tenants', undefined, admin);
    expect(incidents.body).toMatchObject([{ asset_id: id, status: 'OPEN', severity: 'HIGH' }]);
    const [{ id: incidentId }] = incidents.body as [{ id: number }];
    const detail = await one.call('GET', `/api/backend/default/incidents/${incidentId}`, undefined, admin);
    const { history } = detail.body as { history: { state: string; alert_refs: unknown[] }[] };
    expect(history.map(({ state, alert_refs }) => [state, alert_refs.length])).toEqual([
      ['NEW', 1],
      ['ONGOING', 1],
      ['ONGOING', 1],
      ['ONGOING', 1],
    ]);
  });

  test('two services share uploads in an object store, which says so when it is gone', async () => {
    await using directory = await temporaryDirectory();
    const store = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: directory.path,
      configureBuckets: [{ name: 'shared', configs: [] }],
    });
    const { port } = await store.run();
    await using closing = new AsyncDisposableStack();
    closing.defer(() => store.close());
    const environment = {
      OBSERVABILITY_UPLOAD_STORE: 's3://shared/uploads',
      OBSERVABILITY_PLATFORM_TOKEN: 'p'.repeat(32),
      DATABASE_URL: await postgres.createDatabase('stored'),
      OBSERVABILITY_ENCRYPTION_KEY: 'k'.repeat(32),
    };
    await expect(testService({ environment })).rejects.toThrow('OBSERVABILITY_UPLOAD_STORE: the object store needs AWS_ACCESS_KEY_ID');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
    vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
    await using one = await testService({ environment });
    await using other = await testService({ environment });
    const foreign = { ...environment, DATABASE_URL: await postgres.createDatabase('foreign') };
    await expect(testService({ environment: foreign })).rejects.toThrow(/^s3:\/\/shared\/uploads holds the uploads of another database/);

    const admin = await one.login();
    const upload = (service: typeof one) => service.call('POST', '/default/uploads?name=orders.csv', 'id,name\n1,a\n2,b\n', admin);
    const { id, payload } = (await upload(one)).body as { id: string; payload: { upload_id: string } };
    const asset = { name: 'orders', type: 'UPLOAD', payload };
    const made = await other.call('POST', '/api/backend/default/configuration/projects/0/assets', asset, admin);
    expect(made).toMatchObject({ status: 200, body: { attributes: [{ name: 'id' }, { name: 'name' }] } });
    const assetId = (made.body as { id: string }).id;
    const scan = async () => {
      const { body } = await other.call('POST', `/default/assets/${assetId}/batch_data`, {}, admin);
      return other.untilEnded((body as { job_id: string }).job_id, admin);
    };
    expect(await scan()).toMatchObject({ status: 'FINISHED' });
    expect(await other.call('DELETE', `/default/uploads/${id}`, undefined, admin)).toMatchObject({ status: 409 });
    const unused = (await upload(other)).body as { id: string };
    expect(await one.call('DELETE', `/default/uploads/${unused.id}`, undefined, admin)).toMatchObject({ status: 200 });

    await closing.disposeAsync();
    expect(await upload(one)).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('The store of uploads does not answer') },
    });
    const failed = await scan();
    expect(failed).toMatchObject({
      status: 'FAILED',
      details: expect.stringContaining('the store of uploads returned an unexpected response'),
    });
    expect(JSON.stringify(failed)).not.toContain('127.0.0.1');
  });
});
