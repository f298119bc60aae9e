// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

let service: TestService;
let admin: { readonly [name: string]: string };
let assetId: string;
let ruleId: string;

const RULE = 'VALIDATE amount EXPECT NUMERIC_VALUE > 5';

beforeAll(async () => {
  service = await testService();
  admin = await service.login();
  const upload = await service.call('POST', '/default/uploads?name=sales.csv', 'id,amount\n1,10\n2,7\n3,\n4,3\n', {
    ...admin,
    'content-type': 'text/csv',
  });
  const { payload } = upload.body as { payload: unknown };
  const asset = await post('/api/backend/default/configuration/projects/0/assets', { name: 'sales', type: 'UPLOAD', payload });
  assetId = String(asset.id);
  await service.call('PUT', `/api/backend/default/configuration/assets/${assetId}/attributes`, { all: true }, admin);
  const rule = {
    type: 'RULE',
    name: 'sold for more than five',
    enabled: true,
    monitor: { expression: RULE },
    threshold: { threshold_type: 'ML' },
  };
  ruleId = String((await post(`/default/configuration/assets/${assetId}/monitors`, rule)).id);
  for (let scan = 0; scan < 2; scan += 1) {
    const { job_id } = await post(`/default/assets/${assetId}/batch_data`, undefined);
    expect(await service.untilEnded(String(job_id), admin)).toMatchObject({ status: 'FINISHED' });
  }
});
afterAll(async () => service[Symbol.asyncDispose]());

async function post(path: string, body: unknown): Promise<{ readonly [member: string]: unknown }> {
  const reply = await service.call('POST', path, body, admin);
  expect(reply.status).toBe(200);
  return reply.body as { readonly [member: string]: unknown };
}

function preview(body: unknown) {
  return service.call('POST', `/default/configuration/assets/${assetId}/monitors/preview`, body, admin);
}

const atLeast = (threshold1: number) => ({ threshold_type: 'STATIC', threshold1 });

describe('a monitor that is not saved', () => {
  test('of a metric is tried on what the scans measured', async () => {
    const watched = { type: 'PREDEFINED_METRIC', monitor: { predefined_metric: 'COMPLETENESS', attributes: ['amount'] } };
    const { status, body } = await preview({ ...watched, threshold: atLeast(80) });
    const { history } = body as { history: readonly { metric_time: string }[] };
    expect([status, history.length]).toEqual([200, 2]);
    expect(body).toEqual({ history: expect.any(Array) });
    expect(history[0]).toEqual({
      metric_time: expect.stringMatching(/^\d{4}-.*Z$/),
      metric_name: 'COMPLETENESS',
      metric_aggregation: 'ratio',
      attribute: 'amount',
      segment: null,
      monitor_id: null,
      value: 75,
      lower_bound: 80,
      upper_bound: null,
      is_violation: true,
    });
    expect((history[0]?.metric_time ?? '') > (history[1]?.metric_time ?? '')).toBe(true);
    expect((await preview({ ...watched, threshold: atLeast(70) })).body).toMatchObject({
      history: [{ is_violation: false }, { is_violation: false }],
    });
    expect((await preview(watched)).body).toEqual({ history: [] });
  });

  test('of a kind that is measured already is tried on the measurements of that monitor', async () => {
    const rule = { type: 'RULE', monitor: { expression: RULE }, threshold: atLeast(90) };
    expect((await preview(rule)).body).toEqual({ history: [] });
    const { body } = await preview({ ...rule, monitor_id: ruleId });
    expect(body).toMatchObject({
      history: [{ metric_name: 'CORRECTNESS', monitor_id: ruleId, is_violation: true }, { is_violation: true }],
    });
  });

  test('with an expression that is none is refused with its place', async () => {
    const refused = await preview({ type: 'RULE', monitor: { expression: 'VALIDATE' }, monitor_id: ruleId });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^monitor\.expression: .* \(line 1, column 9\)/) },
    });
  });

  test.each([
    [{ type: 'PREDEFINED_METRIC', monitor: { predefined_metric: 'NOTHING' } }, 400, /predefined_metric/],
    [{ type: 'PREDEFINED_METRIC', monitor: { predefined_metric: 'MEAN' }, threshold: { threshold_type: 'STATIC' } }, 400, /threshold1/],
    [{ type: 'RULE', monitor: { expression: RULE }, monitor_id: '4711' }, 404, /4711/],
    [
      { type: 'RULE', monitor: { expression: RULE }, monitor_id: 'RECORD_COUNT_DRIFTS' },
      400,
      /monitor_id: monitor RECORD_COUNT_DRIFTS is of type PREDEFINED_METRIC/,
    ],
  ])('%o is refused with %i', async (body, status, sentence) => {
    const reply = await preview(body);
    expect(reply.status).toBe(status);
    expect(reply.text).toMatch(sentence);
  });
});
