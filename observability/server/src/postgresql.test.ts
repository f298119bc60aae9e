// SPDX-License-Identifier: Apache-2.0
/** The service over PostgreSQL, as two processes would share it. */
import { missingPostgres, type TemporaryPostgres, temporaryDirectory, temporaryPostgres } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testService } from './testing/test-service.ts';

const missing = missingPostgres();

describe.skipIf(missing !== undefined)(`over PostgreSQL${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  let postgres: TemporaryPostgres;
  beforeAll(async () => {
    postgres = await temporaryPostgres();
  });
  afterAll(async () => postgres[Symbol.asyncDispose]());

  test('two services share tenants, tokens and jobs, and each job runs once', async () => {
    await using uploads = await temporaryDirectory();
    const environment = {
      OBSERVABILITY_UPLOAD_DIR: uploads.path,
      OBSERVABILITY_PLATFORM_TOKEN: 'p'.repeat(32),
      DATABASE_URL: await postgres.createDatabase('shared'),
      OBSERVABILITY_ENCRYPTION_KEY: 'k'.repeat(32),
      OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true',
    };
    await using one = await testService({ environment });
    await using other = await testService({ environment });
    const admin = await one.login();
    const { host, port, user, password } = postgres;
    const credential = { type: 'SIMPLE', payload: { username: user, password } };
    const connection = { name: 'self', type: 'POSTGRESQL', payload: { host, port, database: 'shared', ssl: false }, credential };
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
});
