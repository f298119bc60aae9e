// SPDX-License-Identifier: Apache-2.0
/** The service in its process. */
import { missingTelemetry, ownDataDirectory, refuse, runProgram, tell } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { observabilitySettings, readObservabilityConfiguration } from './configuration.ts';
import { startObservabilityService } from './service.ts';
import { startFailure } from './start-failure.ts';

const OWN_FILES = [
  'lock',
  'metadata.sqlite',
  'metadata.sqlite-wal',
  'metadata.sqlite-shm',
  'encryption-key',
  'platform-token',
  'uploads',
  'temporary',
];

await runProgram({
  settings: observabilitySettings,
  portSetting: observabilitySettings.port.name,
  read: readObservabilityConfiguration,
  logged: { service: 'observability' },
  run: async ({ configuration, log, attend }) => {
    const missing = await missingTelemetry(configuration);
    if (missing !== undefined) return refuse([missing]);
    const { dataDirectory } = configuration;
    const lock = ownDataDirectory({ dataDirectory, setting: observabilitySettings.dataDirectory.name, files: OWN_FILES }, log);
    const service = await startObservabilityService({ configuration, clock: systemClock, log, print: tell });
    const stop = async () => {
      await service.stop();
      lock[Symbol.dispose]();
    };
    attend({ ...service, stop }, {});
  },
  failure: startFailure,
});
