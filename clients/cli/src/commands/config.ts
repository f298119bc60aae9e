// SPDX-License-Identifier: Apache-2.0
/** `sextant config`: how the services would run as they are configured here. Each service reads its own settings, and shows them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { ShownSetting } from '@sextant/foundation-service';
import { CommandFailure } from '../failure.ts';
import { serviceEntry } from '../service-entries.ts';
import type { Shell } from '../shell.ts';

const SERVICES = ['vector', 'observability'] as const;
type Service = (typeof SERVICES)[number];

export function configCommand(shell: Shell): CommandUnknownOpts {
  return new Command('config')
    .summary('show and check the settings of the services')
    .description('Shows the settings of the services from flags, the environment and configuration files.')
    .addCommand(
      new Command('show')
        .description(
          'Prints each setting with its value and its source: `default`, `flag`, `environment`, or the file and line. Of a secret, it ' +
            'prints only that it is set. The command starts no service, and fails if a service would refuse its settings. Settings may follow `--`, as with `serve`.',
        )
        .addOption(new Option('--only <service>', 'settings of one service').choices(SERVICES))
        .option('--changed', 'leave out settings that have their default')
        .argument('[settings...]', 'such as `-- --SERVICE_REST_PORT=7000`; with `--only`')
        .action((settings, { only, changed }) =>
          show(shell, { services: only === undefined ? SERVICES : [only], settings, changed: changed === true }),
        ),
    );
}

type Showing = { readonly services: readonly Service[]; readonly settings: readonly string[]; readonly changed: boolean };

async function show(shell: Shell, { services, settings, changed }: Showing): Promise<void> {
  if (settings.length > 0 && services.length > 1)
    throw new CommandFailure('usage', 'a setting belongs to one service; pass --only vector or --only observability');
  const shown: { readonly service: Service; readonly settings: readonly ShownSetting[] }[] = [];
  for (const service of services) {
    const all = await settingsOf(service, settings, shell);
    shown.push({ service, settings: changed ? all.filter(({ origin }) => origin !== 'default') : all });
  }
  const { terminal } = shell;
  const columns = ['setting', 'value', 'origin', 'changes'];
  const tableOf = (rows: readonly ShownSetting[]) =>
    terminal.table(
      columns,
      rows.map(({ name, value, origin, reloadable }) => [name, value, origin, reloadable ? 'while it runs' : 'with a restart']),
    );
  terminal.result(Object.fromEntries(shown.map((each) => [each.service, each.settings])), () =>
    shown
      .map((each) =>
        each.settings.length === 0 ? `all settings of the ${each.service} service have their defaults` : tableOf(each.settings),
      )
      .join('\n\n'),
  );
}

/** What is wrong, the service says itself, on standard error. */
async function settingsOf(service: Service, settings: readonly string[], { signal, environment }: Shell): Promise<readonly ShownSetting[]> {
  // It takes longer to load than most commands take.
  const { SHOW_SETTINGS_FLAG } = await import('../shared-with-services.ts');
  const child = spawn(process.execPath, [serviceEntry(service), SHOW_SETTINGS_FLAG, ...settings], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
  });
  const ended = once(child, 'close');
  const [output, [code]] = await Promise.all([text(child.stdout), ended]);
  if (code !== 0) throw new CommandFailure('usage', `the ${service} service refuses its settings; see its output above`);
  // The service of this very release wrote it.
  return JSON.parse(output) as readonly ShownSetting[];
}
