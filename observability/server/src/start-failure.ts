// SPDX-License-Identifier: Apache-2.0
/** What kept the service from starting, in a sentence. */
import { DataDirectoryInUseError, DataDirectoryUnusableError, isDiskFullError, listenFailure } from '@sextant/foundation-service';
import { NewerSchemaError, ProcessRefusedError } from '@sextant/observability-metadata';
import { OtherKeyError } from './auth/keys.ts';
import { type ObservabilityConfiguration, observabilitySettings } from './configuration.ts';

type Place = Pick<ObservabilityConfiguration, 'host' | 'port' | 'databaseUrl' | 'dataDirectory'>;

/** What the operator can do about it; undefined where only we can. */
export function startFailure(error: unknown, { host, port, databaseUrl, dataDirectory }: Place): string | undefined {
  // What the operator can repair, and each says how.
  const kinds = [DataDirectoryInUseError, DataDirectoryUnusableError, NewerSchemaError, OtherKeyError, ProcessRefusedError];
  if (error instanceof Error && kinds.some((kind) => error instanceof kind)) return error.message;
  if (isDiskFullError(error)) {
    return `the disk of ${dataDirectory} is full, and the start needs to write. Free disk space, or choose another directory with ${observabilitySettings.dataDirectory.name}.`;
  }
  if (error instanceof Error && 'syscall' in error && error.syscall === 'connect' && databaseUrl !== undefined) {
    return `the database of DATABASE_URL cannot be reached (${error.message})`;
  }
  const { host: hostSetting, port: portSetting } = observabilitySettings;
  return listenFailure(error, { host, hostSetting: hostSetting.name, port, portSetting: portSetting.name });
}
