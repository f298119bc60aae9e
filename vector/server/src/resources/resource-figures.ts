/** File descriptors, connections and the disk in the metrics. */
import { type ConnectionFigures, type DiskFigures, openDescriptors } from '@sextant/foundation-service';
import type { Figure } from '@sextant/foundation-service/http';
import { DESCRIPTORS_PER_COLLECTION, type DescriptorPlan } from './descriptor-plan.ts';

export type Resources = {
  readonly descriptors: DescriptorPlan;
  readonly collections: number;
  readonly connections: ConnectionFigures;
  readonly disk: DiskFigures;
};

export function resourceFigures({ descriptors, collections, connections, disk }: Resources): readonly Figure[] {
  const open = openDescriptors();
  return [
    // What the system does not say is left out.
    ...(open === undefined ? [] : [{ name: 'process_open_fds', help: 'Open file descriptors', value: open }]),
    ...(descriptors.limit.isKnown
      ? [{ name: 'process_max_fds', help: 'Limit of the open file descriptors', value: descriptors.limit.limit }]
      : []),
    {
      name: 'storage_descriptors_budget',
      help: 'File descriptors that collections may take',
      value: descriptors.collectionsMax * DESCRIPTORS_PER_COLLECTION,
    },
    { name: 'storage_descriptors_used', help: 'File descriptors that collections take', value: collections * DESCRIPTORS_PER_COLLECTION },
    { name: 'connections_open', help: 'Connections of both interfaces', value: connections.open },
    { name: 'connections_max', help: 'Most connections of both interfaces', value: connections.max },
    {
      name: 'connections_refused_total',
      help: 'Connections refused since the start, for there were as many as may be',
      value: connections.refused,
    },
    { name: 'disk_free_bytes', help: 'Room on the disk of the data directory', value: disk.free },
    { name: 'disk_reserve_bytes', help: 'Room below which writes are refused', value: disk.reserve },
    { name: 'disk_full', help: '1 while writes are refused because the disk is full', value: Number(disk.isFull) },
  ];
}
