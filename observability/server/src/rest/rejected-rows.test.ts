// SPDX-License-Identifier: Apache-2.0
/** The limit of rejected rows, which needs no history. */
import type { Check } from '@sextant/contracts-observability';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

const BACKEND = '/api/backend/default';

let service: TestService;
let admin: { readonly [name: string]: string };
beforeAll(async () => {
  service = await testService();
  admin = await service.login();
});
afterAll(() => service[Symbol.asyncDispose]());

async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const headers = typeof body === 'string' ? { ...admin, 'content-type': 'text/csv' } : admin;
  const reply = await service.call(method, path, body, headers);
  expect([path, reply]).toMatchObject([path, { status: 200 }]);
  return reply.body as Body;
}

test.each([
  ['none', 1000, 0, 'ok'],
  ['exactly 0.1 %', 999, 1, 'ok'],
  ['exactly 0.1 % of more', 2997, 3, 'ok'],
  ['just above 0.1 %', 998, 1, 'violated'],
  ['all', 0, 3, 'violated'],
])('%s of the rows rejected in a first scan', async (what, read, rejected, state) => {
  const lines = [...Array.from({ length: read }, (_, row) => `${row},x`), ...Array.from({ length: rejected }, () => '1,2,3,4')];
  const { payload } = await call<{ payload: object }>('POST', '/default/uploads?name=a.csv', `id,name\n${lines.join('\n')}\n`);
  const reading = { separator: ',', header: true, skip: 0 };
  const asset = { name: what, type: 'UPLOAD', payload, options: { reading } };
  const { id } = await call<{ id: string }>('POST', `${BACKEND}/configuration/projects/0/assets`, asset);
  const { job_id } = await call<{ job_id: string }>('POST', `/default/assets/${id}/batch_data`);
  expect(await service.untilEnded(job_id, admin)).toMatchObject({ status: 'FINISHED' });
  const points = await call<readonly object[]>('GET', `/api/search/default/metrics?asset_id=${id}&metric_name=REJECTED_ROWS`);
  expect(points).toContainEqual(expect.objectContaining({ metric_aggregation: 'count', value: rejected }));
  const checks = await call<readonly Check[]>('GET', `${BACKEND}/jobs/${job_id}/checks`);
  expect(checks.find(({ monitor_id }) => monitor_id === 'REJECTED_ROWS_VIOLATION')?.state).toBe(state);
});
