// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { missingPostgres, sharedPostgres, temporaryDirectory } from '@sextant/foundation-testing';
import { openFolderArea } from '@sextant/observability-connectors';
import { openMetadata, ProcessRefusedError } from '@sextant/observability-metadata';
import { expect, test } from 'vitest';
import { type ObservabilityConfiguration, readObservabilityConfiguration } from './configuration.ts';
import { openProcesses } from './processes.ts';

const missing = missingPostgres();
const TOKEN = 'a-token-of-the-platform-of-32-characters';

function configured(environment: { readonly [name: string]: string | undefined }): ObservabilityConfiguration {
  const outcome = readObservabilityConfiguration(environment, []);
  if (outcome.kind !== 'ready') throw new Error('the settings of the test are refused');
  return outcome.configuration;
}

test.skipIf(missing !== undefined)(`a process that could not do what the others do is refused (${missing ?? 'installed'})`, async () => {
  await using directory = await temporaryDirectory();
  const { databaseUrl } = await sharedPostgres();
  await using metadata = await openMetadata({ databaseUrl }, { clock: systemClock, randomBytes, encryptionKey: new Uint8Array(32) });
  const warnings: string[] = [];
  const start = async (uploads: string, platformToken?: string) => {
    const uploadDirectory = join(directory.path, uploads);
    return openProcesses({
      configuration: configured({
        DATABASE_URL: databaseUrl,
        OBSERVABILITY_UPLOAD_DIR: uploadDirectory,
        OBSERVABILITY_PLATFORM_TOKEN: platformToken,
      }),
      settings: metadata.platform.settings,
      uploads: await openFolderArea(uploadDirectory),
      clock: systemClock,
      onNotice: () => undefined,
      log: { info: () => undefined, warn: (_details, message) => void warnings.push(message) },
    });
  };
  {
    await using _first = await start('shared', TOKEN);
    await using _second = await start('shared', TOKEN);
    const elsewhere = start('elsewhere', TOKEN);
    await expect(elsewhere).rejects.toThrow(ProcessRefusedError);
    await expect(elsewhere).rejects.toThrow(/their uploads are not in .*elsewhere; set OBSERVABILITY_UPLOAD_DIR to a folder that all/);
    await expect(start('shared')).rejects.toThrow(/set OBSERVABILITY_PLATFORM_TOKEN to the same value for all processes/);
  }
  expect(warnings).toEqual([]);
  await expect
    .poll(async () => {
      await using _alone = await start('elsewhere');
      return warnings;
    })
    .toEqual(['the place for uploads has changed; uploads in the old place cannot be scanned']);
});
