// SPDX-License-Identifier: Apache-2.0
/**
 * The configuration file of a service: found by the setting that names it, and by nothing else. A file that is looked for in the working directory would let
 * whoever can write there configure the service; the data directory is itself a setting.
 */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { unknownName } from '@sextant/foundation-std';
import { type ConfigurationTable, configurationPath, type Environment, type FileSettings } from '../configuration.ts';
import type { YamlEntry } from './yaml-settings.ts';

const BYTES_MAX = 1024 * 1024;
const NAME_LENGTH_MAX = 64;
const GROUP_AND_OTHERS = 0o077;

/** Undefined where no file is named. What is wrong with the file is in its problems. */
export async function openConfigurationFile(
  table: ConfigurationTable,
  env: Environment,
  argv: readonly string[],
): Promise<FileSettings | undefined> {
  const named = configurationPath(table, env, argv);
  if (named === undefined) return undefined;
  const path = resolve(named);
  const opened = read(path);
  if (opened.kind === 'unreadable') return { path, given: new Map(), problems: [`${path} ${opened.reason}`], warnings: [] };
  // Most services have no file, and none of their threads needs the parser.
  const { readYamlSettings } = await import('./yaml-settings.ts');
  const { entries, faults } = readYamlSettings(opened.text);
  const given = new Map<string, { readonly text: string; readonly line: number }>();
  const problems = faults.map(({ line, sentence }) => `${path}:${line}: ${sentence}`);
  for (const entry of entries) {
    const taken = textOf(entry, table);
    if (taken.kind === 'text') given.set(entry.key, { text: taken.text, line: entry.line });
    else problems.push(`${path}:${entry.line}: ${taken.problem}`);
  }
  const isSecret = Object.values(table).some(({ name, secret }) => secret === true && given.has(name));
  const isOpen = process.platform !== 'win32' && (opened.mode & GROUP_AND_OTHERS) !== 0;
  const warnings =
    isSecret && isOpen ? [`${path} holds a secret, and other users can read the file; run \`chmod 600 ${path}\` to prevent this`] : [];
  return { path, given, problems, warnings };
}

type Read =
  | { readonly kind: 'text'; readonly text: string; readonly mode: number }
  | { readonly kind: 'unreadable'; readonly reason: string };

function read(path: string): Read {
  try {
    const { size, mode } = statSync(path);
    if (size > BYTES_MAX)
      return { kind: 'unreadable', reason: `has ${size} bytes; expected a configuration file of at most ${BYTES_MAX} bytes` };
    return { kind: 'text', text: readFileSync(path, 'utf8'), mode };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown fault';
    return { kind: 'unreadable', reason: `cannot be read (${code}); expected the configuration file` };
  }
}

type Taken = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'problem'; readonly problem: string };

/** An empty value would count as not set in the environment, where shells leave some behind; in a file somebody wrote it. */
function textOf({ key, value }: YamlEntry, table: ConfigurationTable): Taken {
  const settings = Object.values(table);
  const setting = settings.find(({ name }) => name === key);
  if (setting === undefined) {
    const known = settings.filter(({ namesFile }) => namesFile !== true).map(({ name }) => name);
    return { kind: 'problem', problem: unknownKey(key, known) };
  }
  if (setting.namesFile === true)
    return { kind: 'problem', problem: `${key} is the path of this file, so it cannot be set in the file; set it in the environment` };
  if (value === undefined)
    return { kind: 'problem', problem: `${key} holds neither a value nor a list of values; expected ${setting.expected}` };
  if (value.kind === 'list' && setting.separator === undefined)
    return { kind: 'problem', problem: `${key} takes one value, not a list; expected ${setting.expected}` };
  const texts = value.kind === 'list' ? value.texts : [value.text];
  if (texts.length === 0 || texts.some((text) => text === ''))
    return { kind: 'problem', problem: `${key} has no value; expected ${setting.expected}; remove the line to use the default` };
  return { kind: 'text', text: texts.join(setting.separator) };
}

/** The value is not repeated: behind a mistyped name it may be a secret. */
function unknownKey(key: string, known: readonly string[]): string {
  const name = key.slice(0, NAME_LENGTH_MAX);
  const upper = key.toUpperCase().replaceAll('-', '_');
  // `rest-port` for SERVICE_REST_PORT, as a flag may be written.
  const meant = known.find((each) => each === upper || each.endsWith(`_${upper}`));
  return meant === undefined ? unknownName('setting', name, known) : `${name} is not a setting; did you mean ${meant}?`;
}
