// SPDX-License-Identifier: Apache-2.0
/** Spark properties that the configured nodes cannot offer, as far as the names of their types say how much memory they have. */
import { ApiError, type SparkJobConfig } from '@sextant/contracts-observability';

/** GiB for each virtual processor, by the beginning of the name: `n1-standard-4` has four. */
const PER_PROCESSOR: readonly (readonly [name: RegExp, gibibytes: number])[] = [
  [/^n1-standard-(\d+)$/, 3.75],
  [/^n1-highmem-(\d+)$/, 6.5],
  [/^n1-highcpu-(\d+)$/, 0.9],
  [/^(?:n2|n2d|n4|e2|c3|c4)-standard-(\d+)$/, 4],
  [/^(?:n2|n2d|n4|e2|c3|c4)-highmem-(\d+)$/, 8],
  [/^(?:n2|n2d|e2)-highcpu-(\d+)$/, 1],
];
/** GiB of a `large` machine, which has two virtual processors, by the letter of the family: `m5.xlarge` is twice `m5.large`. */
const LARGE: { readonly [family: string]: number } = { c: 4, m: 8, r: 16 };
const SIZED = /^([cmr])\d[a-z-]*\.(?:(large)|(?:(\d*)xlarge))$/;
/** GiB for each virtual processor of `Standard_D4s_v3` and its like. */
const STANDARD: { readonly [family: string]: number } = { D: 4, E: 8, F: 2 };
const NUMBERED = /^Standard_([DEF])(\d+)[a-z]*_v[2-6]$/;

const UNITS: { readonly [unit: string]: number } = { k: 2 ** -20, m: 2 ** -10, g: 1, t: 2 ** 10 };

/** @throws ApiError where the driver or an executor asks for more memory than its node has */
export function requireFittingMemory(config: SparkJobConfig): void {
  const { spark_properties: properties = {}, cluster_a_config: a, cluster_b_config: b, cluster_c_config: c } = config;
  const nodes = [
    ['spark.driver.memory', 'cluster_a_config.master_node_type', a?.master_node_type],
    ['spark.driver.memory', 'cluster_b_config.master_instance_type', b?.master_instance_type],
    ['spark.driver.memory', 'cluster_c_config.node_type', c?.driver_instance_pool_id === undefined ? c?.node_type : undefined],
    ['spark.executor.memory', 'cluster_a_config.worker_node_type', a?.worker_node_type],
    ['spark.executor.memory', 'cluster_b_config.worker_instance_type', b?.worker_instance_type],
    ['spark.executor.memory', 'cluster_c_config.node_type', c?.node_type],
  ] as const;
  for (const [property, member, type] of nodes) {
    const written = properties[property];
    if (written === undefined) continue;
    const wanted = gibibytesOf(written);
    if (wanted === undefined)
      throw new ApiError('bad_request', {
        reason: `spark_properties.${property}: expected a size such as 4g or 512m, got ${JSON.stringify(written)}`,
      });
    const offered = type === undefined ? undefined : memoryOf(type);
    if (offered === undefined || wanted <= offered) continue;
    const reason = `spark_properties.${property}: ${written} is more than the ${offered} GiB of the node type ${type} (${member})`;
    throw new ApiError('bad_request', { reason });
  }
}

/** As Spark reads sizes: without a unit in MiB. https://spark.apache.org/docs/latest/configuration.html#spark-properties */
function gibibytesOf(written: string): number | undefined {
  const [, number, unit = 'm'] = /^(\d+)([kmgt])?b?$/i.exec(written.trim()) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

/** Undefined for a type that is not known. */
function memoryOf(type: string): number | undefined {
  for (const [name, gibibytes] of PER_PROCESSOR) {
    const processors = name.exec(type)?.[1];
    if (processors !== undefined) return Number(processors) * gibibytes;
  }
  const [, family = '', large, times = ''] = SIZED.exec(type) ?? [];
  const ofLarge = LARGE[family];
  if (ofLarge !== undefined) return large === undefined ? ofLarge * 2 * (times === '' ? 1 : Number(times)) : ofLarge;
  const [, series = '', processors = ''] = NUMBERED.exec(type) ?? [];
  const perProcessor = STANDARD[series];
  return perProcessor === undefined ? undefined : perProcessor * Number(processors);
}
