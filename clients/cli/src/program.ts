// SPDX-License-Identifier: Apache-2.0
/** The command line as a whole: what each part of it is called, takes and does. */
import { Command, type CommandUnknownOpts, type OutputConfiguration } from '@commander-js/extra-typings';
import { backupCommand, restoreCommand } from './commands/backup.ts';
import { benchCommand } from './commands/bench.ts';
import { clusterCommand } from './commands/cluster.ts';
import { collectionsCommand } from './commands/collections.ts';
import { completionCommand } from './commands/completion.ts';
import { configCommand } from './commands/config.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { mcpCommand } from './commands/mcp.ts';
import { observeCommand } from './commands/observe.ts';
import { seconds } from './commands/option-values.ts';
import { searchCommand } from './commands/search.ts';
import { serveCommand } from './commands/serve.ts';
import { tokensCommand } from './commands/tokens.ts';
import { vectorsCommand } from './commands/vectors.ts';
import { DEFAULTS, VARIABLES } from './connection/settings.ts';
import type { GlobalFlags, Shell } from './shell.ts';
import { version } from './version.ts';

const TIMEOUT_SECONDS = 60;

/**
 * @param shellOf gets the reader of the global flags, which have values once a command line has been parsed
 * @param output where help and what is wrong with a command line go
 */
export function createProgram(shellOf: (flags: () => GlobalFlags) => Shell, output: OutputConfiguration = {}): CommandUnknownOpts {
  const program = new Command('sextant')
    .description('Works with the Sextant vector database and the Sextant observability service.')
    .version(version, '-V, --version', 'print the version')
    .option('--url <address>', `address of the vector service (${VARIABLES.url.name}; ${DEFAULTS.url})`)
    .option('--api-key <key>', `API key of the vector service; prefer ${VARIABLES.apiKey.name}, because other users can see command lines`)
    .option(
      '--observability-url <address>',
      `address of the observability service (${VARIABLES.observabilityUrl.name}; ${DEFAULTS.observabilityUrl})`,
    )
    .option('--observability-key <key>', `API key of the observability service; prefer ${VARIABLES.observabilityKey.name}`)
    .option('--tenant <name>', `the tenant of the observability service (${VARIABLES.tenant.name}; ${DEFAULTS.tenant})`)
    .option('--config <file>', `configuration file (${VARIABLES.config.name}; ~/.config/sextant/config.json)`)
    .option('--timeout <seconds>', 'time limit of a request', seconds, TIMEOUT_SECONDS)
    .option('--json', 'print results as JSON');
  const shell = shellOf(() => {
    const { timeout, json, ...connection } = program.opts();
    return { ...connection, json: json === true, timeoutSeconds: timeout };
  });
  const commands = [
    serveCommand(shell),
    configCommand(shell),
    importCommand(shell),
    exportCommand(shell),
    searchCommand(shell),
    collectionsCommand(shell),
    clusterCommand(shell),
    tokensCommand(shell),
    backupCommand(shell),
    restoreCommand(shell),
    observeCommand(shell),
    vectorsCommand(shell),
    benchCommand(shell),
    mcpCommand(shell),
    completionCommand(shell, () => program),
  ];
  for (const command of commands) program.addCommand(command);
  for (const command of withDescendants(program)) {
    command
      .exitOverride()
      .configureOutput(output)
      .helpOption('-h, --help', 'print the help of the command')
      .configureHelp({ showGlobalOptions: true })
      .showHelpAfterError(`(see \`${nameOf(command)} --help\`)`);
  }
  return program;
}

function withDescendants(command: CommandUnknownOpts): readonly CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}

function nameOf(command: CommandUnknownOpts): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}
