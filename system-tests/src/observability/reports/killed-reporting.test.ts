// SPDX-License-Identifier: Apache-2.0
/** The service is killed between the end of a scan and the arrival of its report; after the restart the report is there, once and whole. */
import { isLongRun, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { until } from '../../until.ts';
import { adminApi, startObservabilityServer } from '../observability-server.ts';
import { scan, uploadAsset } from '../scanning.ts';
import { BUCKET, type Stop, startGatedStore } from './store-gate.ts';

const WAIT_MS = 120_000;
/** The quick run takes the one after which the report could be there twice. */
const STOPS: readonly Stop[] = isLongRun() ? ['before the write', 'after the write'] : ['after the write'];
/** A Parquet file begins and ends with it: https://parquet.apache.org/docs/file-format/ */
const MAGIC = 'PAR1';

test.each(STOPS)('a report that was killed %s arrives', async (stop) => {
  await using directory = await temporaryDirectory();
  await using store = await startGatedStore();
  await store.put('reports/.keep', '');
  const options = { directory: directory.path, environment: { OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true' } };
  const killed = await startObservabilityServer(options);
  const api = await adminApi(killed);
  const { id: connection_id } = await api.call(
    'create_connection',
    {},
    {
      body: {
        name: 'lake',
        type: 'S3',
        payload: { bucket: BUCKET, endpoint: store.endpoint },
        credential: { type: 'AWS', payload: { access_key: 'S3RVER', secret_key: 'S3RVER' } },
      },
    },
  );
  await api.call('put_dq_reporting', {}, { body: { enabled: true, path: 'reports', connection_id } });
  const asset = await uploadAsset(api, { file: 'people.csv', bytes: Buffer.from('id,age\n1,30\n2,40\n') });
  const stopped = store.stopReports(stop);
  const job = await scan(api, asset.id);
  expect(job.status).toBe('FINISHED');
  await stopped;
  await killed.kill();
  expect((await store.reports()).size).toBe(stop === 'before the write' ? 0 : 1);

  void store.stopReports('nowhere');
  await using server = await startObservabilityServer(options);
  const restarted = await adminApi(server);
  const reports = await until('the report arrives', WAIT_MS, async () => {
    const found = await store.reports();
    return found.size > 0 ? found : undefined;
  });
  // The score of the scan is from the transaction that queued the report.
  expect(await restarted.call('get_dq_score_value', { asset_id: asset.id })).toMatchObject({ job_id: job.id, score: 100 });
  expect([...reports.keys()]).toEqual([`reports/scan_date=${job.end_time?.slice(0, 10)}/${asset.id}_${job.id}.parquet`]);
  const [bytes] = [...reports.values()];
  expect([bytes?.subarray(0, 4).toString(), bytes?.subarray(-4).toString()]).toEqual([MAGIC, MAGIC]);
  await scan(restarted, asset.id);
  await until('the next report arrives', WAIT_MS, async () => ((await store.reports()).size === 2 ? true : undefined));
  await server.stop();
});
