// SPDX-License-Identifier: Apache-2.0
/** The settings as a service would run with them, for `sextant config show`: each with its value and where it comes from. Secrets are not shown. */
import type { ConfigurationTable, Origin } from '../configuration.ts';

/** The flag by which a service shows its settings instead of running. */
export const SHOW_SETTINGS_FLAG = '--show-settings';

export type ShownSetting = {
  readonly name: string;
  /** Undefined for what is not set; of a secret, that it is set. */
  readonly value?: string;
  /** `default`, `flag`, `environment`, or the file and the line. */
  readonly origin: string;
  /** Whether a change in the configuration file counts without a restart. */
  readonly reloadable: boolean;
};

type Ready = { readonly configuration: { readonly [key: string]: unknown }; readonly origins: { readonly [key: string]: Origin } };

export function shownSettings(table: ConfigurationTable, { configuration, origins }: Ready): readonly ShownSetting[] {
  return Object.entries(table).map(([key, { name, secret, reloadable }]) => {
    const value = shownValue(configuration[key], secret === true);
    return {
      name,
      ...(value !== undefined && { value }),
      origin: shownOrigin(origins[key] ?? { kind: 'default' }),
      reloadable: reloadable === true,
    };
  });
}

/** The value of a setting as text; a secret's is never more than that it is set. */
export function shownValue(value: unknown, isSecret: boolean): string | undefined {
  if (value === undefined) return undefined;
  if (isSecret) return '(set)';
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shownOrigin(origin: Origin): string {
  return origin.kind === 'file' ? `${origin.path}:${origin.line}` : origin.kind;
}
