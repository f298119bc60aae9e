/** What bounds the service as a whole: file descriptors, connections, the disk. */
import { type ConnectionFigures, type DiskFigures, descriptorLimit, openDescriptors } from '@sextant/foundation-service';
import type { Figure } from '@sextant/foundation-service/http';
import type { ObservabilityConfiguration } from './configuration.ts';

const CONNECTIONS_DEFAULT_MAX = 10_000;

/** The other half is for the store, sources, child processes and deliveries, which are few. */
export function connectionsMaxOf({ connectionsMax }: ObservabilityConfiguration): number {
  return connectionsMax === 0 ? Math.min(Math.floor(descriptorLimit().limit / 2), CONNECTIONS_DEFAULT_MAX) : connectionsMax;
}

export function resourceFigures({
  connections,
  disk,
}: {
  readonly connections: ConnectionFigures;
  readonly disk: DiskFigures;
}): readonly Figure[] {
  const open = openDescriptors();
  const { limit, isKnown } = descriptorLimit();
  return [
    // What the system does not say is left out.
    ...(open === undefined ? [] : [{ name: 'process_open_fds', help: 'Open file descriptors', value: open }]),
    ...(isKnown ? [{ name: 'process_max_fds', help: 'Limit of the open file descriptors', value: limit }] : []),
    { name: 'connections_open', help: 'Connections', value: connections.open },
    { name: 'connections_max', help: 'Most connections', value: connections.max },
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
