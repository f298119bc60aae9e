// SPDX-License-Identifier: Apache-2.0
/** What this process and others of one database are to each other. */
import { randomUUID } from 'node:crypto';
import { type Periodic, periodic } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { SourceError, type UploadArea } from '@sextant/observability-connectors';
import { joinProcesses, type PlatformMetadata, type ProcessGroup, ProcessRefusedError, soleProcess } from '@sextant/observability-metadata';
import { type ObservabilityConfiguration, observabilitySettings } from './configuration.ts';
import { uploadPlaceName } from './upload-place.ts';

export type ProcessesOptions = {
  readonly configuration: ObservabilityConfiguration;
  readonly settings: PlatformMetadata['settings'];
  readonly uploads: UploadArea;
  readonly clock: Clock;
  /** Another process has enqueued jobs, or something to deliver. */
  readonly onNotice: Parameters<typeof joinProcesses>[0]['onNotice'];
  readonly log: Parameters<typeof joinProcesses>[0]['log'];
};

const UPLOAD_AREA = 'upload-area';
const PAUSE_MS = 5000;

/** @throws ProcessRefusedError where this process could not do what the others do */
export async function openProcesses({ configuration, settings, uploads, clock, onNotice, log }: ProcessesOptions): Promise<ProcessGroup> {
  const { databaseUrl } = configuration;
  if (databaseUrl === undefined) return soleProcess;
  const onJoin = async (isFirst: boolean) => {
    const name = observabilitySettings.uploadStore.name;
    try {
      if (isFirst) await takeArea({ uploads, settings, place: uploadPlaceName(configuration), log });
      else requireSamePlace(configuration, { isSameArea: (await settings.get(UPLOAD_AREA)) === (await uploads.identity()) });
    } catch (cause) {
      throw cause instanceof SourceError ? new ProcessRefusedError(`${name}: ${cause.message}`, { cause }) : cause;
    }
  };
  return joinProcesses({ databaseUrl, clock, onJoin, onNotice, log });
}

/** The first process says where uploads lie. */
async function takeArea({
  uploads,
  settings,
  place,
  log,
}: Pick<ProcessesOptions, 'uploads' | 'settings' | 'log'> & { readonly place: string }): Promise<void> {
  const own = await uploads.identity();
  const known = await settings.get(UPLOAD_AREA);
  if (own !== undefined && own === known) return;
  if (own !== undefined) {
    // What this database does not know of would be removed as nobody's.
    throw new ProcessRefusedError(
      `${place} holds the uploads of another database; use a separate place for each database, or delete .area there if no other database uses it`,
    );
  }
  if (known !== undefined) log.warn({ place }, 'the place for uploads has changed; uploads in the old place cannot be scanned');
  const identity = randomUUID();
  // A crash in between leaves an area that nobody has claimed.
  await settings.set(UPLOAD_AREA, identity);
  await uploads.claim(identity);
}

/** Keeps the process in sight of the others. */
export function keepInSight(processes: ProcessGroup, clock: Clock): Periodic {
  const turn = async () => {
    await processes.turn();
    return false;
  };
  // A turn handles its own errors.
  return periodic({ turn, pauseMs: PAUSE_MS, clock, onError: () => undefined });
}

/** What one process has made for itself, others do not know. */
function requireSamePlace(configuration: ObservabilityConfiguration, { isSameArea }: { readonly isSameArea: boolean }): void {
  const { platformToken, uploadDirectory, uploadStore } = observabilitySettings;
  if (!isSameArea) {
    throw new ProcessRefusedError(
      `other processes use this database, but their uploads are not in ${uploadPlaceName(configuration)}; set ${uploadDirectory.name} to a folder that all of them share, such as one of a network file system, or ${uploadStore.name} to an object store`,
    );
  }
  if (configuration.platformToken === undefined) {
    throw new ProcessRefusedError(
      `other processes use this database, but each process generates its own token of the platform operator; set ${platformToken.name} to the same value for all processes`,
    );
  }
}
