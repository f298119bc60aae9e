// SPDX-License-Identifier: Apache-2.0
/** `sextant mcp`: both services as tools of an agent. */
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { observabilityClient, vectorClient } from '../connection/clients.ts';
import { defaultPath } from '../connection/settings.ts';
import { CommandFailure, sentenceOf } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { repeated, wholeNumber } from './option-values.ts';

/** What callers over HTTP have to send; without it a token is made and kept in a file. */
export const MCP_TOKEN_VARIABLE = 'SEXTANT_MCP_TOKEN';

const PORT = 6590;

export function mcpCommand(shell: Shell): CommandUnknownOpts {
  return new Command('mcp')
    .summary('serve both services as tools for AI agents (Model Context Protocol)')
    .description(
      'Serves the Model Context Protocol over standard input and output or over HTTP. Tools have the permissions of the API keys of this command.',
    )
    .addOption(
      new Option('--transport <transport>', 'transport of the agent').choices(['stdio', 'http'] as const).default('stdio' as const),
    )
    .option('--read-only', 'offer only tools that do not write')
    .option('--host <address>', 'where to listen over HTTP', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 chooses a free port', wholeNumber({ max: 65_535 }), PORT)
    .option('--allow-origin <origin>', 'origin of web pages that may call over HTTP; may be repeated', repeated(String))
    .action(async ({ transport, readOnly, host, port, allowOrigin }) => {
      const services = { vector: await vectorClient(shell), observability: await observabilityClient(shell) };
      const options = { services, readOnly: readOnly === true, signal: shell.signal };
      if (transport === 'stdio') {
        // Loaded here, because the protocol's library takes longer to load than other commands to run.
        const { serveMcpOverStdio } = await import('../mcp/stdio.ts').catch(libraryMissing);
        await serveMcpOverStdio(options);
        return;
      }
      const token = await tokenOf(shell);
      const { serveMcpOverHttp } = await import('../mcp/http.ts').catch(libraryMissing);
      const server = await serveMcpOverHttp({ ...options, host, port, token, origins: allowOrigin ?? [] }).catch((cause: unknown) => {
        throw new CommandFailure('failed', `cannot listen on ${host}:${port}: ${sentenceOf(cause)}`, {
          advice: '--port names another.',
          cause,
        });
      });
      shell.terminal.note(`Serving tools at ${server.address}. Press Ctrl-C to stop.`);
      if (!shell.signal.aborted) await once(shell.signal, 'abort');
      await server.close();
    });
}

/** In a clone that was installed for running the services alone; published packages hold the library. */
function libraryMissing(cause: unknown): never {
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
  const advice = '`node tools/bootstrap.mjs` installs it in a clone; `npx @sextant/cli mcp` needs no clone.';
  throw new CommandFailure('failed', 'the library of the Model Context Protocol is not installed', { advice, cause });
}

/** Never printed: the file says it to its owner. */
async function tokenOf({ environment, terminal }: Shell): Promise<string> {
  const configured = environment[MCP_TOKEN_VARIABLE];
  if (configured) return configured;
  const { openSecretFile } = await import('../shared-with-services.ts');
  const path = join(dirname(defaultPath(environment)), 'mcp-token');
  const token = openSecretFile({ path, configured: undefined, setting: MCP_TOKEN_VARIABLE });
  terminal.note(`Callers must send the token in ${path} as a bearer token. Set ${MCP_TOKEN_VARIABLE} to use another token.`);
  return token;
}
