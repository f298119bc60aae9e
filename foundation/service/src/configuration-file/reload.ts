// SPDX-License-Identifier: Apache-2.0
/**
 * Takes over a changed configuration file while the service runs. Only settings that are made for it change; of every other one the log says that it waits
 * for a restart. A file that is wrong changes nothing. The file is looked at again and again, as certificates are: SIGHUP ends a service, as a closed
 * terminal wants it.
 */
import { statSync } from 'node:fs';
import type { Clock } from '@sextant/foundation-std';
import type { Configuration, ConfigurationOutcome, ConfigurationTable } from '../configuration.ts';
import { type Periodic, periodic } from '../periodic.ts';
import { shownValue } from './shown-settings.ts';

const LOOK_MS = 5000;

type Say = (details: object, message: string) => void;

export type ReloadOptions<Table extends ConfigurationTable> = {
  readonly table: Table;
  readonly path: string;
  /** What the service was started with. */
  readonly configuration: Configuration<Table>;
  /** Reads file, environment and flags again. */
  readonly read: () => Promise<ConfigurationOutcome<Table>>;
  /** Gets the running configuration with the settings that may change. */
  readonly apply: (configuration: Configuration<Table>) => void;
  readonly clock: Clock;
  readonly log: { readonly info: Say; readonly warn: Say; readonly error: Say };
};

/** To be woken once; its first turn already compares, since the file may have changed while the service started. */
export function configurationReload<Table extends ConfigurationTable>(options: ReloadOptions<Table>): Periodic {
  const { table, path, read, apply, clock, log } = options;
  let running = options.configuration;
  let inFile = options.configuration;
  let seen: string | undefined;

  const takeOver = (wanted: Configuration<Table>) => {
    const values: Values = wanted;
    const changed = differences(wanted, running);
    const taken = changed.filter((key) => table[key]?.reloadable === true);
    const waiting = differences(wanted, inFile).filter((key) => changed.includes(key) && !taken.includes(key));
    inFile = wanted;
    if (taken.length > 0) {
      running = { ...running, ...Object.fromEntries(taken.map((key) => [key, values[key]])) };
      apply(running);
    }
    const logged = (key: string) => ({
      setting: table[key]?.name,
      value: shownValue(values[key], table[key]?.secret === true),
    });
    for (const key of taken) log.info(logged(key), 'applied the changed setting');
    for (const key of waiting) log.warn(logged(key), 'the changed setting takes effect after a restart');
  };

  return periodic({
    pauseMs: LOOK_MS,
    clock,
    turn: async () => {
      const state = stateOf(path);
      if (state === seen) return false;
      seen = state;
      const outcome = await read();
      if (outcome.kind === 'ready') takeOver(outcome.configuration);
      else if (outcome.kind === 'refused')
        log.error(
          { file: path, problems: outcome.problems },
          'the changed configuration file is refused; the previous settings stay in effect',
        );
      return false;
    },
    onError: (error) =>
      log.error({ err: error, file: path }, 'the changed configuration file cannot be read; the previous settings stay in effect'),
  });
}

type Values = { readonly [key: string]: unknown };

/** The keys of the settings that are not the same. */
function differences(one: Values, other: Values): readonly string[] {
  return Object.keys(one).filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]));
}

/** Another text where the file is another one or has been written to. */
function stateOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return JSON.stringify(stat === undefined ? null : [stat.ino, stat.size, stat.mtimeMs]);
}
