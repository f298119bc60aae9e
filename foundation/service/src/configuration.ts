/**
 * Typed configuration from the environment, and from flags of the same names, which win. Everything wrong is reported at once,
 * with its name, its value and what would be right.
 */
import type { Setting } from './setting.ts';

type SettingValue = string | number | boolean | readonly string[] | undefined;

export type ConfigurationTable = { readonly [key: string]: Setting<SettingValue> };

export type Configuration<Table extends ConfigurationTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : never;
};

export type ConfigurationOutcome<Table extends ConfigurationTable> =
  | { readonly kind: 'ready'; readonly configuration: Configuration<Table> }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/**
 * Reads every setting of the table.
 *
 * @param env the environment; an empty value counts as not set, since a shell or a compose file often leaves one behind
 * @param argv the arguments after the program's name: `--SERVICE_REST_PORT=7000`, `--service-rest-port 7000`, `--help`
 */
export function readConfiguration<Table extends ConfigurationTable>(
  table: Table,
  env: { readonly [name: string]: string | undefined },
  argv: readonly string[],
): ConfigurationOutcome<Table> {
  if (argv.includes('--help') || argv.includes('-h')) return { kind: 'help', text: helpText(table) };
  const flags = readFlags(table, argv);
  const problems = [...flags.problems];
  const configuration: { [key: string]: unknown } = {};
  for (const [key, setting] of Object.entries(table)) {
    const given = flags.values.get(setting.name) ?? (env[setting.name] || undefined);
    const value = given === undefined ? setting.fallback : setting.parse(given);
    if (given !== undefined && value === undefined) problems.push(wrongValue(setting, given));
    configuration[key] = value;
  }
  // Each value came from its own setting's `parse` or `fallback`, which a loop over the keys cannot tell the compiler.
  return problems.length > 0 ? { kind: 'refused', problems } : { kind: 'ready', configuration: configuration as Configuration<Table> };
}

/** One setting as the reference page shows it. */
export type SettingRow = { readonly name: string; readonly fallback: string; readonly expected: string; readonly meaning: string };

export function settingRows(table: ConfigurationTable): readonly SettingRow[] {
  return Object.values(table).map(({ name, fallback, fallbackText, expected, meaning }) => ({
    name,
    fallback: fallbackText ?? (fallback === undefined ? 'not set' : String(fallback)),
    expected,
    meaning,
  }));
}

function wrongValue(setting: Setting<SettingValue>, given: string): string {
  const shown = setting.secret ? 'has a value that is not right' : `is ${JSON.stringify(given)}`;
  return `${setting.name} ${shown}; expected ${setting.expected}`;
}

function helpText(table: ConfigurationTable): string {
  const rows = settingRows(table);
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(
    ({ name, meaning, expected, fallback }) => `  ${name.padEnd(width)}  ${meaning} (${expected}; default ${fallback})`,
  );
  return ['Settings, from the environment or as flags (--NAME=value or --name value; flags win):', '', ...lines, ''].join('\n');
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
  if (!argument.startsWith('--')) return `an argument stands without a flag; expected --NAME=value with a name of ${names.join(', ')}`;
  return `unknown flag ${argument.split('=')[0]}; expected one of ${names.join(', ')}`;
}
