/** "Spark job configuration" of the specification. */
import { afterAll, describe, expect, test } from 'vitest';
import { startServiceUnderTest } from './service-under-test.ts';
import { assertRefused } from './wire.ts';

const service = await startServiceUnderTest();
afterAll(() => service[Symbol.asyncDispose]());
const { admin, anonymous } = service;

const PATH = '/configuration/tenants/default/spark-job-config';

const blocks = {
  spark_properties: { 'spark.driver.memory': '4g', 'spark.executor.cores': '2' },
  cluster_a_config: {
    master_node_type: 'n1-standard-4',
    worker_node_type: 'n1-standard-8',
    spark_master_disk_size_in_gb: 100,
    spark_worker_disk_size_in_gb: 200,
    autoscale_policy: 'projects/p/regions/europe-west1/autoscalingPolicies/small',
  },
  cluster_b_config: {
    master_instance_type: 'm5.xlarge',
    worker_instance_type: 'm5.2xlarge',
    worker_instance_option: 'SPOT',
    min_instance_count: 1,
    max_instance_count: 8,
  },
  cluster_c_config: {
    spark_version: '13.3.x-scala2.12',
    instance_pool_id: 'pool-1',
    driver_instance_pool_id: 'pool-2',
    policy_id: 'policy-1',
    min_instance_count: 1,
    max_instance_count: 4,
  },
};

test('blocks are stored and replaced each on its own; null clears one, DELETE all', async () => {
  expect(await admin.get(PATH)).toMatchObject({ status: 200, body: {} });
  expect((await admin.put(PATH, blocks)).body).toEqual(blocks);
  expect((await admin.get(PATH)).body).toEqual(blocks);

  const { cluster_c_config: _, ...others } = blocks;
  const c = { node_type: 'Standard_DS3_v2' };
  expect((await admin.put(PATH, { cluster_c_config: c })).body).toEqual({ ...others, cluster_c_config: c });
  expect((await admin.put(PATH, { cluster_b_config: null })).status).toBe(200);
  expect((await admin.put(PATH, {})).status).toBe(200);
  const { cluster_b_config: __, ...left } = { ...others, cluster_c_config: c };
  expect((await admin.get(PATH)).body).toEqual(left);

  expect(await admin.delete(PATH)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
  expect((await admin.get(PATH)).body).toEqual({});
  expect((await admin.delete(PATH)).status).toBe(200);
});

describe('refuses', () => {
  const a = (block: object) => ({ cluster_a_config: block });
  const b = (block: object) => ({ cluster_b_config: block });
  const c = (block: object) => ({ cluster_c_config: block });

  test.each([
    ['a disk size that is no integer', a({ spark_master_disk_size_in_gb: 10.5 }), /cluster_a_config\.spark_master_disk_size_in_gb/],
    ['a disk size as text', a({ spark_worker_disk_size_in_gb: '100' }), /cluster_a_config\.spark_worker_disk_size_in_gb/],
    ['a disk size of nothing', a({ spark_worker_disk_size_in_gb: 0 }), /spark_worker_disk_size_in_gb/],
    ['a policy that is no resource path', a({ autoscale_policy: 'small' }), /autoscale_policy/],
    ['an unknown option', b({ worker_instance_option: 'RESERVED' }), /worker_instance_option/],
    ['a negative count', b({ min_instance_count: -1 }), /min_instance_count/],
    ['more at least than at most', b({ min_instance_count: 3, max_instance_count: 2 }), /min_instance_count/],
    ['a node type beside a pool', c({ node_type: 'n', instance_pool_id: 'p' }), /node_type/],
    ['a property that is no text', { spark_properties: { 'spark.executor.cores': 2 } }, /spark_properties/],
    ['an unknown block', { cluster_d_config: {} }, /cluster_d_config/],
    ['an unknown member', a({ disks: 1 }), /disks/],
    ['an array', [], /body/],
  ])('%s', async (_, body, sentence) => {
    assertRefused(await admin.put(PATH, body), 400, sentence);
    expect((await admin.get(PATH)).body).toEqual({});
  });

  test('malformed JSON', async () => {
    assertRefused(await admin.put(PATH, Buffer.from('{"spark_properties": {')), 400, /JSON/);
  });

  test('callers without a credential, and tenants that do not exist', async () => {
    for (const reply of [await anonymous.get(PATH), await anonymous.put(PATH, {}), await anonymous.delete(PATH)]) {
      assertRefused(reply, 401, /credential/);
    }
    assertRefused(await admin.get('/configuration/tenants/nowhere/spark-job-config'), 404, /nowhere/);
  });
});
