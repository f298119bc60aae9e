// SPDX-License-Identifier: Apache-2.0
/** `sextant serve`: the services as processes, as `npm start` runs them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { MALLOC_SETTINGS } from '@sextant/foundation-service';
import { CommandFailure } from '../failure.ts';
import { serviceEntry } from '../service-entries.ts';
import type { Shell } from '../shell.ts';

export function serveCommand(shell: Shell): CommandUnknownOpts {
  return new Command('serve')
    .summary('run the services until Ctrl-C')
    .description(
      'Runs the vector service and the observability service, or one of them, until Ctrl-C. Settings come from the environment, from ' +
        'configuration files, or follow `--`; docs/reference/configuration.md lists them.',
    )
    .addOption(new Option('--only <service>', 'run one service').choices(['vector', 'observability'] as const))
    .option('--data-dir <folder>', 'folder for all data, with a subfolder for each service (default: ./data)')
    .argument('[settings...]', 'such as `-- --SERVICE_REST_PORT=7000`')
    .action((settings, { only, dataDir }) => serve(shell, { service: only ?? 'both', settings, dataDirectory: dataDir }));
}

type Serving = {
  readonly service: 'both' | 'vector' | 'observability';
  readonly settings: readonly string[];
  readonly dataDirectory: string | undefined;
};

/**
 * The child stands outside of this terminal's process group, so that Ctrl-C reaches it once, through here: services take a second signal for the wish
 * to end at once. Where this process ends in another way, the IPC channel tells the child.
 */
async function serve({ signal, environment }: Shell, { service, settings, dataDirectory }: Serving): Promise<void> {
  const env = {
    // Where both run, the program that starts them adds these itself.
    ...(service === 'vector' && MALLOC_SETTINGS),
    ...environment,
    ...(dataDirectory !== undefined && dataDirectories(resolve(dataDirectory))),
  };
  const child = spawn(process.execPath, [serviceEntry(service), ...settings], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  // After a second Ctrl-C, for the child, too, it is the second.
  process.once('exit', stop);
  const [code] = await once(child, 'close');
  process.off('exit', stop);
  signal.removeEventListener('abort', stop);
  if (code !== 0) throw new CommandFailure('failed', `the services ended with exit code ${code}; see their output above`);
}

/** Each service locks a folder of its own. */
function dataDirectories(folder: string) {
  return { SERVICE_DATA_DIR: join(folder, 'vector'), OBSERVABILITY_DATA_DIR: join(folder, 'observability') };
}
