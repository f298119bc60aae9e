// SPDX-License-Identifier: Apache-2.0
/** The service in its process. */
import { resolve } from 'node:path';
import {
  DataDirectoryInUseError,
  DataDirectoryUnusableError,
  descriptorLimit,
  listenFailure,
  ownDataDirectory,
  type ReadyConfiguration,
  refuse,
  runProgram,
  tell,
} from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { readVectorConfiguration, snapshotsDirectory, type VectorConfiguration, vectorSettings } from './configuration.ts';
import { NewerDataError, planUpgrade, UpgradeRoomError, upgradeData } from './data-version.ts';
import { PRODUCT } from './product.ts';
import { ServiceRefusedError, startVectorService } from './threads/supervisor.ts';

await runProgram({
  settings: vectorSettings,
  portSetting: vectorSettings.restPort.name,
  read: readVectorConfiguration,
  /** The service says what its next start would do to the data directory. */
  questions: { '--plan-upgrade': plan },
  run: async ({ configuration, log, attend }) => {
    const { dataDirectory } = configuration;
    const files = ['system', 'collections', 'jwt-secret', snapshotsDirectory(configuration)];
    using _lock = ownDataDirectory({ dataDirectory, setting: vectorSettings.dataDirectory.name, files }, log);
    await upgradeData(dataDirectory, {
      release: PRODUCT.version,
      onStep: ({ format, what }) => log.info({ format, what }, 'upgrading the data directory'),
    });
    const startedMs = systemClock.nowMs();
    const loadingSinceMs = systemClock.monotonicMs();
    const service = await startVectorService({ configuration, seed: startedMs, startedMs });
    const { limit, isKnown } = descriptorLimit();
    if (!isKnown) log.info({ assumed: limit }, 'the limit of file descriptors is unknown on this system');
    attend(service, { grpc: service.grpcAddress });
    if (service.setupCode !== undefined) tell(firstAdminSentence(service.setupCode));
    const collections = await Promise.race([service.ready, service.failed]);
    log.info({ collections, loadMs: Math.round(systemClock.monotonicMs() - loadingSinceMs) }, 'ready');
    await service.failed;
  },
  failure: startFailure,
});

/** Reads a few bytes and writes nothing, so that the service may run meanwhile. */
function plan({ configuration: { dataDirectory } }: ReadyConfiguration<typeof vectorSettings>): void {
  const directory = resolve(dataDirectory);
  try {
    const { stored, format, steps } = planUpgrade(directory);
    const planned = steps.map((step) => ({ format: step.format, what: step.what }));
    process.stdout.write(`${JSON.stringify({ directory, stored, format, release: PRODUCT.version, steps: planned })}\n`);
  } catch (error) {
    if (!(error instanceof NewerDataError)) throw error;
    refuse([error.message]);
  }
}

function firstAdminSentence(code: string): string {
  return `there is no admin yet; to create one in the console, use the setup code ${code}, which is also in the file setup-code of the data directory`;
}

function startFailure(error: unknown, { host, restPort, grpcPort }: VectorConfiguration): string | undefined {
  const kinds = [DataDirectoryInUseError, DataDirectoryUnusableError, NewerDataError, UpgradeRoomError, ServiceRefusedError];
  if (error instanceof Error && kinds.some((kind) => error instanceof kind)) return error.message;
  const port = error instanceof Error && 'port' in error ? Number(error.port) : restPort;
  const { name: portSetting } = port === grpcPort ? vectorSettings.grpcPort : vectorSettings.restPort;
  return listenFailure(error, { host, hostSetting: vectorSettings.host.name, port, portSetting });
}
