// SPDX-License-Identifier: Apache-2.0
/** The blocks of a spark job configuration as forms: which fields each has, and how what is written in them becomes a block. */
import type { SparkJobConfig } from '@sextant/sdk';

export type BlockName = keyof SparkJobConfig;
export type ClusterName = Exclude<BlockName, 'spark_properties'>;

export type ClusterField = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
} & ({ readonly kind: 'text' } | { readonly kind: 'integer' } | { readonly kind: 'choice'; readonly choices: readonly string[] });

export type Cluster = {
  readonly block: ClusterName;
  readonly title: string;
  readonly purpose: string;
  readonly fields: readonly ClusterField[];
};

const INSTANCES = [
  { name: 'min_instance_count', label: 'Minimum number of workers', kind: 'integer' },
  { name: 'max_instance_count', label: 'Maximum number of workers', kind: 'integer' },
] as const satisfies readonly ClusterField[];

export const CLUSTERS: readonly Cluster[] = [
  {
    block: 'cluster_a_config',
    title: 'Cluster A',
    purpose: 'Google Dataproc, for Spark connections whose cluster is DATAPROC.',
    fields: [
      { name: 'master_node_type', label: 'Machine type of the master', kind: 'text' },
      { name: 'worker_node_type', label: 'Machine type of workers', kind: 'text' },
      { name: 'spark_master_disk_size_in_gb', label: 'Boot disk of the master, GB', kind: 'integer' },
      { name: 'spark_worker_disk_size_in_gb', label: 'Boot disk of workers, GB', kind: 'integer' },
      {
        name: 'autoscale_policy',
        label: 'Autoscaling policy',
        hint: 'projects/<project>/locations/<region>/autoscalingPolicies/<id>',
        kind: 'text',
      },
    ],
  },
  {
    block: 'cluster_b_config',
    title: 'Cluster B',
    purpose: 'Amazon EMR, for Spark connections whose cluster is EMR.',
    fields: [
      { name: 'master_instance_type', label: 'Instance type of the master', kind: 'text' },
      { name: 'worker_instance_type', label: 'Instance type of workers', kind: 'text' },
      { name: 'worker_instance_option', label: 'Workers are', kind: 'choice', choices: ['ON_DEMAND', 'SPOT'] },
      ...INSTANCES,
    ],
  },
  {
    block: 'cluster_c_config',
    title: 'Cluster C',
    purpose:
      'Databricks, for Spark connections whose cluster is DATABRICKS. Set a node type for the workers, or a pool, which defines its own node type.',
    fields: [
      { name: 'spark_version', label: 'Runtime version', kind: 'text' },
      { name: 'node_type', label: 'Node type of workers', kind: 'text' },
      { name: 'instance_pool_id', label: 'Pool of workers', kind: 'text' },
      { name: 'driver_instance_pool_id', label: 'Pool of the driver', kind: 'text' },
      { name: 'policy_id', label: 'Cluster policy', kind: 'text' },
      ...INSTANCES,
    ],
  },
];

/** A block as the service takes it. */
export type Block = { readonly [name: string]: string | number };

/** What is written in the fields of a block; a field without a value is empty. */
export type Written = { readonly [field: string]: string | number | undefined };

/** The block that the fields make: what is empty is left out. Undefined where everything is. */
export function blockOf(written: Written): Block | undefined {
  const given = Object.entries(written)
    .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const)
    .filter((field): field is [string, string | number] => field[1] !== undefined && field[1] !== '');
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

export type Property = { readonly name: string; readonly value: string };

/** Why properties cannot be saved, at the row of each; a row that is empty as a whole is none. */
export function propertyProblems(properties: readonly Property[]): readonly (string | undefined)[] {
  const names = properties.map(({ name }) => name.trim());
  return properties.map(({ value }, row) => {
    const name = names[row] ?? '';
    if (name === '') return value === '' ? undefined : 'has no name';
    return names.indexOf(name) === row ? undefined : 'already exists';
  });
}

export function propertiesOf(properties: readonly Property[]): { readonly [name: string]: string } | undefined {
  const given = properties.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value] as const);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
