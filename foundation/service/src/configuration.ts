// SPDX-License-Identifier: Apache-2.0
/**
 * Typed configuration: from flags, else from the environment, else from a file, else the defaults. All have the same names. Everything wrong is
 * reported at once, with its name, its value and what would be right.
 */
import type { Setting } from './setting.ts';

type SettingValue = string | number | boolean | readonly string[] | undefined;

export type ConfigurationTable = { readonly [key: string]: Setting<SettingValue> };

export type Configuration<Table extends ConfigurationTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : never;
};

export type Environment = { readonly [name: string]: string | undefined };

/** What a configuration file says. */
export type FileSettings = {
  readonly path: string;
  /** By the name of the setting, as text that the environment could hold. */
  readonly given: ReadonlyMap<string, { readonly text: string; readonly line: number }>;
  /** Of the file itself; whether a value is right is for `readConfiguration`. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
};

/** Where the value of a setting comes from. */
export type Origin =
  | { readonly kind: 'default' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'environment' }
  | { readonly kind: 'file'; readonly path: string; readonly line: number };

export type ReadyConfiguration<Table extends ConfigurationTable> = {
  readonly kind: 'ready';
  readonly configuration: Configuration<Table>;
  readonly origins: { readonly [Key in keyof Table]: Origin };
  /** What an operator should know, and what stops no start. */
  readonly warnings: readonly string[];
};

export type ConfigurationOutcome<Table extends ConfigurationTable> =
  | ReadyConfiguration<Table>
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/**
 * Reads every setting of the table.
 *
 * @param env the environment; an empty value counts as not set, since a shell or a compose file often leaves one behind
 * @param argv the arguments after the program's name: `--SERVICE_REST_PORT=7000`, `--service-rest-port 7000`, `--help`
 * @param file what `openConfigurationFile` found; values that something else overrides have to be right, too
 */
export function readConfiguration<Table extends ConfigurationTable>(
  table: Table,
  env: Environment,
  argv: readonly string[],
  file?: FileSettings,
): ConfigurationOutcome<Table> {
  if (argv.includes('--help') || argv.includes('-h')) return { kind: 'help', text: helpText(table) };
  const flags = readFlags(table, argv);
  const problems = [...flags.problems, ...(file?.problems ?? [])];
  const configuration: { [key: string]: unknown } = {};
  const origins: { [key: string]: Origin } = {};
  for (const [key, setting] of Object.entries(table)) {
    const sources = sourcesOf(setting, { flags, env, file });
    const values = sources.map(({ text, origin }) => {
      const value = setting.parse(text);
      if (value === undefined) problems.push(`${placeOf(origin)}${wrongValue(setting, text)}`);
      return value;
    });
    configuration[key] = sources.length > 0 ? values[0] : setting.fallback;
    origins[key] = sources[0]?.origin ?? { kind: 'default' };
  }
  if (problems.length > 0) return { kind: 'refused', problems };
  const ready = { kind: 'ready', configuration, origins, warnings: file?.warnings ?? [] };
  // Each value came from its own setting's `parse` or `fallback`, which a loop over the keys cannot tell the compiler.
  return ready as unknown as ReadyConfiguration<Table>;
}

/** The path of the configuration file, where the environment or a flag names one. */
export function configurationPath(table: ConfigurationTable, env: Environment, argv: readonly string[]): string | undefined {
  const setting = Object.values(table).find(({ namesFile }) => namesFile === true);
  if (setting === undefined) return undefined;
  return readFlags(table, argv).values.get(setting.name) ?? (env[setting.name] || undefined);
}

type Given = { readonly text: string; readonly origin: Origin };

/** The one that counts first. A flag or variable that is wrong is no reason to look at the file, and the other way round neither. */
function sourcesOf(
  { name }: Setting<SettingValue>,
  { flags, env, file }: { readonly flags: Flags; readonly env: Environment; readonly file: FileSettings | undefined },
): readonly Given[] {
  const flag = flags.values.get(name);
  const variable = env[name] || undefined;
  const inFile = file?.given.get(name);
  const sources: Given[] = [];
  if (flag !== undefined) sources.push({ text: flag, origin: { kind: 'flag' } });
  else if (variable !== undefined) sources.push({ text: variable, origin: { kind: 'environment' } });
  if (file !== undefined && inFile !== undefined)
    sources.push({ text: inFile.text, origin: { kind: 'file', path: file.path, line: inFile.line } });
  return sources;
}

/** What stands before a sentence on a line of a file. */
function placeOf(origin: Origin): string {
  return origin.kind === 'file' ? `${origin.path}:${origin.line}: ` : '';
}

/** One setting as the reference page shows it. */
export type SettingRow = {
  readonly name: string;
  readonly fallback: string;
  readonly expected: string;
  readonly meaning: string;
  /** Whether a change in the configuration file counts without a restart. */
  readonly reloadable: boolean;
};

export function settingRows(table: ConfigurationTable): readonly SettingRow[] {
  return Object.values(table).map(({ name, fallback, fallbackText, expected, meaning, reloadable }) => ({
    name,
    fallback: fallbackText ?? (fallback === undefined ? 'not set' : String(fallback)),
    expected,
    meaning,
    reloadable: reloadable === true,
  }));
}

function wrongValue(setting: Setting<SettingValue>, given: string): string {
  const shown = setting.secret ? 'has an invalid value' : `is ${JSON.stringify(given)}`;
  return `${setting.name} ${shown}; expected ${setting.expected}`;
}

function helpText(table: ConfigurationTable): string {
  const rows = settingRows(table);
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(
    ({ name, meaning, expected, fallback }) => `  ${name.padEnd(width)}  ${meaning} (${expected}; default ${fallback})`,
  );
  return [
    'Settings. A flag (--NAME=value or --name value) takes precedence over the environment, and the environment over the configuration file:',
    '',
    ...lines,
    '',
  ].join('\n');
}

type Flags = { readonly values: ReadonlyMap<string, string>; readonly problems: readonly string[] };

function readFlags(table: ConfigurationTable, argv: readonly string[]): Flags {
  const settings = new Map(Object.values(table).map((setting) => [setting.name, setting]));
  const values = new Map<string, string>();
  const problems: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? '';
    const [, flag, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
    const setting = flag === undefined ? undefined : settings.get(flag.toUpperCase().replaceAll('-', '_'));
    if (setting === undefined) {
      problems.push(unknownArgument(argument, [...settings.keys()]));
      continue;
    }
    const next = argv[index + 1];
    const takesNext = inline === undefined && next !== undefined && !next.startsWith('--');
    const value = inline ?? (takesNext ? next : setting.mayStandAlone ? 'true' : undefined);
    if (takesNext) index++;
    if (!value) problems.push(`--${setting.name} needs a value; expected ${setting.expected}`);
    else if (values.has(setting.name)) problems.push(`--${setting.name} is given more than once`);
    else values.set(setting.name, value);
  }
  return { values, problems };
}

/** Only the name is repeated: what follows a mistyped flag may be a secret. */
function unknownArgument(argument: string, names: readonly string[]): string {
  if (!argument.startsWith('--')) return `an argument is not a flag; expected --NAME=value, where the name is one of ${names.join(', ')}`;
  return `unknown flag ${argument.split('=')[0]}; expected one of ${names.join(', ')}`;
}
