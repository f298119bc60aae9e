// SPDX-License-Identifier: Apache-2.0
/** What bounds the service as a whole: file descriptors, connections, the disk. */
import { type ConnectionFigures, type DiskFigures, descriptorLimit } from '@sextant/foundation-service';
import { connectionFigures, descriptorFigures, diskFigures, type Figure } from '@sextant/foundation-service/http';
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
  return [...descriptorFigures(descriptorLimit()), ...connectionFigures(connections), ...diskFigures(disk)];
}
