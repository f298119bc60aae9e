// SPDX-License-Identifier: Apache-2.0
/** What this process and others of one database are to each other. */
import { type Periodic, periodic } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { UploadArea } from '@sextant/observability-connectors';
import { joinProcesses, type PlatformMetadata, type ProcessGroup, ProcessRefusedError, soleProcess } from '@sextant/observability-metadata';
import { type ObservabilityConfiguration, observabilitySettings, uploadDirectoryOf } from './configuration.ts';

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
    const own = await uploads.identity();
    const known = await settings.get(UPLOAD_AREA);
    if (!isFirst) return requireSamePlace(configuration, { isSameArea: known === own });
    if (known !== undefined && known !== own) {
      log.warn(
        { directory: uploadDirectoryOf(configuration) },
        'the folder of uploads is another one than before; uploads that lie elsewhere cannot be scanned',
      );
    }
    await settings.set(UPLOAD_AREA, own);
  };
  return joinProcesses({ databaseUrl, clock, onJoin, onNotice, log });
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
  const { platformToken, uploadDirectory } = observabilitySettings;
  if (!isSameArea) {
    throw new ProcessRefusedError(
      `other processes use this database, and their uploads do not lie in ${uploadDirectoryOf(configuration)}; set ${uploadDirectory.name} to a folder that all of them share, such as one of a network file system`,
    );
  }
  if (configuration.platformToken === undefined) {
    throw new ProcessRefusedError(
      `other processes use this database, and a generated token of the platform operator is known to one of them alone; set ${platformToken.name} to the same for all`,
    );
  }
}
