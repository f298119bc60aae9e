// SPDX-License-Identifier: Apache-2.0
/** Where uploads lie, as the settings say it. */
import { type ConnectorsOptions, StoreLocationError, storeLocation } from '@sextant/observability-connectors';
import { ProcessRefusedError } from '@sextant/observability-metadata';
import { type ObservabilityConfiguration, observabilitySettings, uploadDirectoryOf } from './configuration.ts';

type Settings = Pick<ObservabilityConfiguration, 'uploadStore' | 'uploadDirectory' | 'dataDirectory'>;

/** @throws ProcessRefusedError where the environment lacks what the store needs */
export async function uploadPlace(configuration: Settings): Promise<ConnectorsOptions['uploads']> {
  const { uploadStore } = configuration;
  if (uploadStore === undefined) return { directory: uploadDirectoryOf(configuration) };
  const name = observabilitySettings.uploadStore.name;
  try {
    const location = await storeLocation(uploadStore, process.env);
    if (location !== undefined) return location;
  } catch (cause) {
    if (!(cause instanceof StoreLocationError)) throw cause;
    throw new ProcessRefusedError(`${name}: ${cause.message}. ${cause.advice}`, { cause });
  }
  throw new ProcessRefusedError(`${name} is not the address of an object store`);
}

/** For people. */
export function uploadPlaceName(configuration: Settings): string {
  return configuration.uploadStore ?? uploadDirectoryOf(configuration);
}
