// SPDX-License-Identifier: Apache-2.0
/** What any service takes of its machine and what bounds it, as figures of its metrics, by the names of services of this family. */
import { readFileSync } from 'node:fs';
import type { ConnectionFigures } from './connection-cap.ts';
import { type DescriptorLimit, openDescriptors } from './descriptors.ts';
import type { DiskFigures } from './disk-room.ts';
import type { Figure } from './metrics.ts';

/** Threads, maps of memory and page faults of the process; what the system does not say is left out. */
export function processFigures(): readonly Figure[] {
  const status = textOf('/proc/self/status');
  const memory = memoryFigures(status);
  const { minorPageFault, majorPageFault } = process.resourceUsage();
  return [
    ...memory,
    ...known('process_threads', 'Operating system threads of the process', numberIn(status, 'Threads')),
    ...known('process_open_mmaps', 'Memory mappings of the process', linesIn(textOf('/proc/self/maps'))),
    ...known(
      'system_max_mmaps',
      'Maximum number of memory mappings of a process (vm.max_map_count)',
      numberOf(textOf('/proc/sys/vm/max_map_count')),
    ),
    { name: 'process_minor_page_faults_total', help: 'Minor page faults (no disk read)', value: minorPageFault, isCounter: true },
    { name: 'process_major_page_faults_total', help: 'Major page faults (with a disk read)', value: majorPageFault, isCounter: true },
  ];
}

/** The names are those of an allocator that this process has not; the system knows what comes nearest. */
function memoryFigures(status: string | undefined): readonly Figure[] {
  const kilobytes = (name: string) => numberIn(status, name);
  const [anonymous, shared, size] = [kilobytes('RssAnon'), kilobytes('RssShmem'), kilobytes('VmSize')];
  if (anonymous === undefined || shared === undefined || size === undefined) return [];
  return [
    { name: 'memory_allocated_bytes', help: 'Resident memory that is not backed by a file, in bytes', value: anonymous * KILOBYTE },
    {
      name: 'memory_active_bytes',
      help: 'Resident memory that is not backed by a file, including shared memory, in bytes',
      value: (anonymous + shared) * KILOBYTE,
    },
    {
      name: 'memory_retained_bytes',
      help: 'Virtual address space of the process, in bytes',
      value: size * KILOBYTE,
    },
  ];
}

const KILOBYTE = 1024;

function known(name: string, help: string, value: number | undefined): readonly Figure[] {
  return value === undefined ? [] : [{ name, help, value }];
}

function numberIn(status: string | undefined, name: string): number | undefined {
  return numberOf(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status ?? '')?.[1]);
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function linesIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : text.split('\n').length - 1;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** What the system does not say is left out. */
export function descriptorFigures({ limit, isKnown }: DescriptorLimit): readonly Figure[] {
  const open = openDescriptors();
  return [
    ...(open === undefined ? [] : [{ name: 'process_open_fds', help: 'Open file descriptors', value: open }]),
    ...(isKnown ? [{ name: 'process_max_fds', help: 'Maximum number of open file descriptors', value: limit }] : []),
  ];
}

export function connectionFigures({ open, max, refused }: ConnectionFigures): readonly Figure[] {
  return [
    { name: 'connections_open', help: 'Open connections of all interfaces', value: open },
    { name: 'connections_max', help: 'Maximum number of connections of all interfaces', value: max },
    { name: 'connections_refused_total', help: 'Connections refused since the start because the maximum was reached', value: refused },
  ];
}

export function diskFigures({ free, reserve, isFull }: DiskFigures): readonly Figure[] {
  return [
    { name: 'disk_free_bytes', help: 'Free space on the disk of the data directory, in bytes', value: free },
    { name: 'disk_reserve_bytes', help: 'Free disk space below which writes are refused, in bytes', value: reserve },
    { name: 'disk_full', help: '1 while writes are refused because the disk is full', value: Number(isFull) },
  ];
}
