// SPDX-License-Identifier: Apache-2.0
/**
 * How many collections may be open at a time where they can be closed again: what the operator says, and no more than file descriptors and mappings of the
 * address space allow. LMDB ends the process where a mapping is refused, so they are counted beforehand too.
 */
import { readFileSync } from 'node:fs';
import { ServiceError } from '@sextant/contracts-vector';
import type { CollectionBound } from '@sextant/vector-collection';
import { clusterSettingsOf } from '../cluster/cluster-settings.ts';
import type { VectorConfiguration } from '../configuration.ts';
import { collectionBound, type DescriptorPlan } from './descriptor-plan.ts';

/** Measured: 6 with a single point, 8 with 1,000 points in one vector; those that grow or have more vectors have more. */
const MAPPINGS_PER_COLLECTION = 12;
/** Measured: 880 of a service without collections and four threads. */
const MAPPINGS_PER_THREAD = 250;
/** Of all mappings; the rest is for what is loaded later, and for collections with many vectors. */
const USABLE_SHARE = 0.9;
const RETRY_SECONDS = 5;
/** Of those that serve and link: main, the writer, the indexer and one for models. */
const THREADS_BESIDE = 4;

export type OpenBoundOptions = {
  readonly descriptors: DescriptorPlan;
  /** What Linux lets a process have; undefined on systems that do not say it. */
  readonly mappingsMax: number | undefined;
  readonly threads: number;
  /** Chosen by the operator; 0 leaves it to the others. */
  readonly chosen: number;
};

export function openBound({ descriptors, mappingsMax, threads, chosen }: OpenBoundOptions): CollectionBound {
  const usable = (mappingsMax ?? Number.POSITIVE_INFINITY) * USABLE_SHARE - threads * MAPPINGS_PER_THREAD;
  const byMappings = Math.max(1, Math.floor(usable / MAPPINGS_PER_COLLECTION));
  const max = Math.min(descriptors.collectionsMax, byMappings, chosen === 0 ? Number.POSITIVE_INFINITY : chosen);
  const bound = max === chosen ? 'SERVICE_COLLECTIONS_OPEN_MAX' : max === byMappings ? 'vm.max_map_count' : 'file descriptors, ulimit -n';
  return { max, reached: () => new ServiceError('collections_in_use', { max, bound, seconds: RETRY_SECONDS }) };
}

/** A node of a cluster keeps every collection open, and refuses one too many. */
export function boundOf(configuration: VectorConfiguration, descriptors: DescriptorPlan): CollectionBound {
  if (clusterSettingsOf(configuration) !== undefined) return collectionBound(descriptors);
  const { threads, collectionsOpenMax: chosen } = configuration;
  return openBound({ descriptors, mappingsMax: mappingLimit(), threads: THREADS_BESIDE + threads * 2, chosen });
}

function mappingLimit(): number | undefined {
  try {
    return Number(readFileSync('/proc/sys/vm/max_map_count', 'utf8'));
  } catch {
    return undefined;
  }
}
