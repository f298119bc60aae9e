import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

let service: TestService;
let admin: { readonly [name: string]: string };
beforeAll(async () => {
  service = await testService();
  admin = await service.login();
});
afterAll(async () => service[Symbol.asyncDispose]());

const CSV = 'id,name,amount\n1,Ada,10.5\n2,Bob,\n3,,7\n4,Dan,3\n';

type Uploaded = { readonly id: string; readonly bytes: number; readonly payload: { readonly upload_id: string } };

async function uploadedAsset(name: string, text = CSV): Promise<string> {
  const upload = await service.call('POST', `/default/uploads?name=${name}`, text, { ...admin, 'content-type': 'text/csv' });
  expect(upload).toMatchObject({ status: 200, body: { name, bytes: Buffer.byteLength(text) } });
  const { payload } = upload.body as Uploaded;
  const body = { name, type: 'UPLOAD', payload, options: { id_attributes: ['id'] } };
  const asset = await service.call('POST', '/api/backend/default/configuration/projects/0/assets', body, admin);
  expect(asset).toMatchObject({ status: 200 });
  return (asset.body as { id: string }).id;
}

async function finished(jobId: string): Promise<unknown> {
  for (;;) {
    const { body } = await service.call('GET', `/api/backend/default/jobs/${jobId}`, undefined, admin);
    if (['FINISHED', 'FAILED'].includes((body as { status: string }).status)) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('an uploaded file', () => {
  test('becomes an asset with its attributes and pre-built monitors', async () => {
    const id = await uploadedAsset('people.csv');
    const asset = await service.call('GET', `/api/backend/default/configuration/projects/0/assets/${id}`, undefined, admin);
    const { attributes } = asset.body as { attributes: { name: string; monitored: boolean }[] };
    expect(attributes.map(({ name }) => name)).toEqual(['id', 'name', 'amount']);
    const monitors = await service.call('GET', `/default/configuration/assets/${id}/monitors`, undefined, admin);
    const ids = (monitors.body as { id: string }[]).map((monitor) => monitor.id);
    expect(ids).toContain('RECORD_COUNT_DRIFTS');
  });

  test('is scanned, and its metrics are read', async () => {
    const id = await uploadedAsset('scan.csv');
    await service.call('PUT', `/api/backend/default/configuration/assets/${id}/attributes`, { all: true }, admin);
    const started = await service.call('POST', `/api/data/default/assets/${id}/batch_data`, undefined, admin);
    expect(started).toMatchObject({ status: 200, body: { job_id: expect.stringMatching(/^a[0-9a-f]{32}$/) } });
    const { job_id } = started.body as { job_id: string };
    expect(await finished(job_id)).toMatchObject({ status: 'FINISHED', asset_id: id, progress: { phase: 'done' } });
    const metrics = await service.call('GET', `/api/search/default/metrics?asset_id=${id}&metric_name=RECORD_COUNT`, undefined, admin);
    expect(metrics.body).toMatchObject([{ metric_name: 'RECORD_COUNT', value: 4, job_id }]);
  });
});
