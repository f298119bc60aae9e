// SPDX-License-Identifier: Apache-2.0
/** What bounds any service, as figures of its metrics: file descriptors, connections, the disk. */
import type { ConnectionFigures } from './connection-cap.ts';
import { type DescriptorLimit, openDescriptors } from './descriptors.ts';
import type { DiskFigures } from './disk-room.ts';
import type { Figure } from './metrics.ts';

/** What the system does not say is left out. */
export function descriptorFigures({ limit, isKnown }: DescriptorLimit): readonly Figure[] {
  const open = openDescriptors();
  return [
    ...(open === undefined ? [] : [{ name: 'process_open_fds', help: 'Open file descriptors', value: open }]),
    ...(isKnown ? [{ name: 'process_max_fds', help: 'Limit of the open file descriptors', value: limit }] : []),
  ];
}

export function connectionFigures({ open, max, refused }: ConnectionFigures): readonly Figure[] {
  return [
    { name: 'connections_open', help: 'Connections of all interfaces', value: open },
    { name: 'connections_max', help: 'Most connections of all interfaces', value: max },
    { name: 'connections_refused_total', help: 'Connections refused since the start, for there were as many as may be', value: refused },
  ];
}

export function diskFigures({ free, reserve, isFull }: DiskFigures): readonly Figure[] {
  return [
    { name: 'disk_free_bytes', help: 'Room on the disk of the data directory', value: free },
    { name: 'disk_reserve_bytes', help: 'Room below which writes are refused', value: reserve },
    { name: 'disk_full', help: '1 while writes are refused because the disk is full', value: Number(isFull) },
  ];
}
