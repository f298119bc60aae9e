// SPDX-License-Identifier: Apache-2.0
/** Where the services are and who asks: from flags, else the environment, else the configuration file, else the defaults of a local start. */
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CommandFailure, sentenceOf } from '../failure.ts';
import type { ConfigurationFile } from './configuration-file.ts';

export type Environment = { readonly [name: string]: string | undefined };

export type ConnectionFlags = {
  readonly url?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly observabilityUrl?: string | undefined;
  readonly observabilityKey?: string | undefined;
  readonly tenant?: string | undefined;
  readonly config?: string | undefined;
};

export type ServiceAddress = { readonly url: string; readonly apiKey: string | undefined };

export type ConnectionSettings = {
  readonly vector: ServiceAddress;
  readonly observability: ServiceAddress & { readonly tenant: string };
};

/** The variables, in the order of the reference page. */
export const VARIABLES = {
  url: { name: 'SEXTANT_URL', meaning: 'Address of the vector service' },
  apiKey: { name: 'SEXTANT_API_KEY', meaning: 'API key of the vector service' },
  observabilityUrl: { name: 'SEXTANT_OBSERVABILITY_URL', meaning: 'Address of the observability service' },
  observabilityKey: { name: 'SEXTANT_OBSERVABILITY_KEY', meaning: 'API key of the observability service' },
  tenant: { name: 'SEXTANT_TENANT', meaning: 'Tenant of the observability service' },
  config: { name: 'SEXTANT_CONFIG', meaning: 'Path of the configuration file' },
} as const;

export const DEFAULTS = { url: 'http://127.0.0.1:6573', observabilityUrl: 'http://127.0.0.1:6580', tenant: 'default' } as const;

/** @param warn is called for a file with a key that others may read */
export async function readSettings(
  flags: ConnectionFlags,
  env: Environment,
  warn: (sentence: string) => void,
): Promise<ConnectionSettings> {
  // An empty variable counts as not set, since a shell or a compose file often leaves one behind.
  const variable = (key: keyof typeof VARIABLES) => env[VARIABLES[key].name] || undefined;
  const named = flags.config ?? variable('config');
  const file = await readFileAt(named ?? defaultPath(env), named !== undefined, warn);
  return {
    vector: {
      url: address(flags.url ?? variable('url') ?? file.url ?? DEFAULTS.url, '--url'),
      apiKey: flags.apiKey ?? variable('apiKey') ?? file.api_key,
    },
    observability: {
      url: address(
        flags.observabilityUrl ?? variable('observabilityUrl') ?? file.observability_url ?? DEFAULTS.observabilityUrl,
        '--observability-url',
      ),
      apiKey: flags.observabilityKey ?? variable('observabilityKey') ?? file.observability_key,
      tenant: flags.tenant ?? variable('tenant') ?? file.tenant ?? DEFAULTS.tenant,
    },
  };
}

/** Where the file is looked for when nobody names one (XDG Base Directory Specification 0.8). */
export function defaultPath(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'sextant', 'config.json');
}

/** An address is shown in messages, so one that holds a credential is refused before it can be. */
function address(text: string, flag: string): string {
  const url = URL.parse(text);
  const problem =
    url === null || !['http:', 'https:'].includes(url.protocol)
      ? 'must begin with http:// or https://'
      : url.username !== '' || url.password !== ''
        ? 'contains a user or a password; pass the credential as an API key instead'
        : undefined;
  if (problem !== undefined) throw new CommandFailure('usage', `the address for ${flag} ${problem}`);
  return text.replace(/\/+$/, '');
}

async function readFileAt(path: string, isNamed: boolean, warn: (sentence: string) => void): Promise<ConfigurationFile> {
  const text = await contentOf(path, isNamed);
  if (text === undefined) return {};
  // The schemas' library takes longer to load than most commands take, and most people have no such file.
  const { parseConfigurationFile } = await import('./configuration-file.ts');
  const file = parseConfigurationFile(text, path);
  if ((file.api_key !== undefined || file.observability_key !== undefined) && (await othersMayRead(path))) {
    warn(`${path} holds an API key, and other users of this machine can read the file; run \`chmod 600 ${path}\` to prevent this`);
  }
  return file;
}

async function contentOf(path: string, isNamed: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    if (isAbsent && !isNamed) return undefined;
    throw new CommandFailure('usage', `the configuration file ${path} cannot be read: ${sentenceOf(error)}`);
  }
}

async function othersMayRead(path: string): Promise<boolean> {
  const GROUP_AND_OTHERS = 0o077;
  return process.platform !== 'win32' && ((await stat(path)).mode & GROUP_AND_OTHERS) !== 0;
}
