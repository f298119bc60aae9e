// SPDX-License-Identifier: Apache-2.0
/** The schema of the spark job configuration. Each block is replaced whole; an absent one stays as it is, null clears it. */
import { maybe, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { mapOf } from './value-schemas.ts';

const words = Type.String({ minLength: 1, maxLength: 1024 });
const diskSize = Type.Integer({ minimum: 10, maximum: 65_536 });
const instances = Type.Integer({ minimum: 0, maximum: 100_000 });

/** The resource name of an autoscaling policy, alone or as an address. */
const autoscalePolicy = Type.String({
  pattern: '^(?:https://[a-z0-9.-]+/v1/)?projects/[^/\\s]+/(?:locations|regions)/[^/\\s]+/autoscalingPolicies/[^/\\s]+$',
  maxLength: 1024,
  'x-expected': 'projects/<project>/locations/<region>/autoscalingPolicies/<id>, or the same behind https://<host>/v1/',
});

type Range = { min_instance_count?: number; max_instance_count?: number };

const isInOrder = ({ min_instance_count: min = 0, max_instance_count: max = Number.POSITIVE_INFINITY }: Range) => min <= max;
const orderText = ({ min_instance_count: min, max_instance_count: max }: Range) =>
  `min_instance_count (${min}) must not be above max_instance_count (${max})`;

/** A pool brings its own node type. */
const hasOneNodeSource = (block: { node_type?: string; instance_pool_id?: string }) =>
  block.node_type === undefined || block.instance_pool_id === undefined;

const blocks = {
  spark_properties: mapOf(Type.String({ maxLength: 65_536 }), 1000),
  cluster_a_config: strict(
    {
      master_node_type: Type.Optional(words),
      worker_node_type: Type.Optional(words),
      spark_master_disk_size_in_gb: Type.Optional(diskSize),
      spark_worker_disk_size_in_gb: Type.Optional(diskSize),
      autoscale_policy: Type.Optional(autoscalePolicy),
    },
    { title: 'ClusterA' },
  ),
  cluster_b_config: Type.Refine(
    strict(
      {
        master_instance_type: Type.Optional(words),
        worker_instance_type: Type.Optional(words),
        worker_instance_option: Type.Optional(oneOf('ON_DEMAND', 'SPOT')),
        min_instance_count: Type.Optional(instances),
        max_instance_count: Type.Optional(instances),
      },
      { title: 'ClusterB' },
    ),
    isInOrder,
    orderText,
  ),
  cluster_c_config: Type.Refine(
    strict(
      {
        spark_version: Type.Optional(words),
        node_type: Type.Optional(words),
        instance_pool_id: Type.Optional(words),
        driver_instance_pool_id: Type.Optional(words),
        policy_id: Type.Optional(words),
        min_instance_count: Type.Optional(instances),
        max_instance_count: Type.Optional(instances),
      },
      { title: 'ClusterC' },
    ),
    (block) => isInOrder(block) && hasOneNodeSource(block),
    (block) => (isInOrder(block) ? 'give either `node_type` or `instance_pool_id`: a pool brings its own node type' : orderText(block)),
  ),
};

export const putSparkJobConfigSchema = strict(
  {
    spark_properties: maybe(blocks.spark_properties),
    cluster_a_config: maybe(blocks.cluster_a_config),
    cluster_b_config: maybe(blocks.cluster_b_config),
    cluster_c_config: maybe(blocks.cluster_c_config),
  },
  { title: 'PutSparkJobConfig' },
);

export const sparkJobConfigSchema = Type.Object(
  {
    spark_properties: Type.Optional(blocks.spark_properties),
    cluster_a_config: Type.Optional(blocks.cluster_a_config),
    cluster_b_config: Type.Optional(blocks.cluster_b_config),
    cluster_c_config: Type.Optional(blocks.cluster_c_config),
  },
  { title: 'SparkJobConfig', description: 'Empty if no configuration was saved.' },
);
export type SparkJobConfig = Static<typeof sparkJobConfigSchema>;
