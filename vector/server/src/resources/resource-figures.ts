// SPDX-License-Identifier: Apache-2.0
/** File descriptors, connections and the disk in the metrics. */
import type { ConnectionFigures, DiskFigures } from '@sextant/foundation-service';
import { connectionFigures, descriptorFigures, diskFigures, type Figure } from '@sextant/foundation-service/http';
import { DESCRIPTORS_PER_COLLECTION, type DescriptorPlan } from './descriptor-plan.ts';

export type Resources = {
  readonly descriptors: DescriptorPlan;
  readonly collections: number;
  readonly connections: ConnectionFigures;
  readonly disk: DiskFigures;
};

export function resourceFigures({ descriptors, collections, connections, disk }: Resources): readonly Figure[] {
  return [
    ...descriptorFigures(descriptors.limit),
    {
      name: 'storage_descriptors_budget',
      help: 'Maximum number of file descriptors for collections',
      value: descriptors.collectionsMax * DESCRIPTORS_PER_COLLECTION,
    },
    { name: 'storage_descriptors_used', help: 'File descriptors that collections use', value: collections * DESCRIPTORS_PER_COLLECTION },
    ...connectionFigures(connections),
    ...diskFigures(disk),
  ];
}
