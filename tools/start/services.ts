// SPDX-License-Identifier: Apache-2.0
/** The services that `npm start` runs, and which of its flags are for which. */
import { fileURLToPath } from 'node:url';
import {
  type ConfigurationTable,
  type Environment,
  MALLOC_SETTINGS,
  openConfigurationFile,
  readConfiguration,
  settingRows,
  tlsFilesOf,
} from '@sextant/foundation-service';
import { observabilitySettings } from '@sextant/observability-server';
import { vectorSettings } from '@sextant/vector-server';

export type ServiceProgram = {
  readonly name: string;
  readonly entry: string;
  readonly settings: ConfigurationTable;
  /** What its process is started with, where the environment does not say otherwise. */
  readonly environment: Environment;
};

export const services: readonly ServiceProgram[] = [
  {
    name: 'vector',
    entry: fileURLToPath(new URL('../../vector/server/src/main.ts', import.meta.url)),
    settings: vectorSettings,
    environment: MALLOC_SETTINGS,
  },
  {
    name: 'observability',
    entry: fileURLToPath(new URL('../../observability/server/src/main.ts', import.meta.url)),
    settings: observabilitySettings,
    environment: {},
  },
];

/**
 * The arguments of each service: a flag goes, with its value, to the service that has a setting of that name; `--help`, and what no service
 * knows, goes to all, so that each says what it takes.
 */
export function argumentsByService(argv: readonly string[], programs: readonly ServiceProgram[]): readonly (readonly string[])[] {
  const names = programs.map(({ settings }) => new Set(settingRows(settings).map(({ name }) => name)));
  const shares = programs.map((): string[] => []);
  let owners: readonly number[] = [];
  for (const argument of argv) {
    const flag = /^--([^=]+)/.exec(argument)?.[1]?.toUpperCase().replaceAll('-', '_');
    if (flag !== undefined) {
      const knowing = names.flatMap((own, index) => (own.has(flag) ? [index] : []));
      owners = knowing.length > 0 ? knowing : programs.keys().toArray();
    }
    for (const index of owners.length > 0 ? owners : programs.keys()) shares[index]?.push(argument);
  }
  return shares;
}

/**
 * The environment of both services: what is given, and where browsers find each service for the console of the other, if its port is not the
 * usual one. Nothing is added for a free port (0), which is not known yet, nor where a setting is wrong, which its service reports.
 */
export async function environmentOfBoth(
  given: Environment,
  [vectorFlags = [], observabilityFlags = []]: readonly (readonly string[])[],
): Promise<Environment> {
  const vector = await settingsOf(vectorSettings, given, vectorFlags);
  const observability = await settingsOf(observabilitySettings, given, observabilityFlags);
  if (vector.kind !== 'ready' || observability.kind !== 'ready') return given;
  const addresses = [
    [
      vectorSettings.observabilityUrl.name,
      vector.origins.observabilityUrl,
      observability.configuration.port,
      schemeOf(observability.configuration),
    ],
    [observabilitySettings.vectorUrl.name, observability.origins.vectorUrl, vector.configuration.restPort, schemeOf(vector.configuration)],
  ] as const;
  // The environment would win over a file that says it.
  const unset = addresses.filter(([, origin, port]) => port !== 0 && origin.kind === 'default');
  return { ...given, ...Object.fromEntries(unset.map(([name, , port, scheme]) => [name, `${scheme}://{host}:${port}`])) };
}

async function settingsOf<Table extends ConfigurationTable>(table: Table, env: Environment, argv: readonly string[]) {
  return readConfiguration(table, env, argv, await openConfigurationFile(table, env, argv));
}

function schemeOf(configuration: Parameters<typeof tlsFilesOf>[0]): 'http' | 'https' {
  return tlsFilesOf(configuration) === undefined ? 'http' : 'https';
}
