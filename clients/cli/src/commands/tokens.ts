// SPDX-License-Identifier: Apache-2.0
/** `sextant tokens`: the access tokens of the vector service. Secrets are shown once, on standard output, and never again. */
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ADMIN_PASSWORD_VARIABLE, adminClient } from '../connection/clients.ts';
import { CommandFailure } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { list, wholeNumber } from './option-values.ts';

const PERMISSIONS = ['read', 'write', 'admin'];

export function tokensCommand(shell: Shell): CommandUnknownOpts {
  const { terminal, signal } = shell;
  return new Command('tokens')
    .summary('list, create, rotate and delete access tokens')
    .description(
      `Manages access tokens of the vector service while it enforces them. Needs an API key with the admin permission, or the admin password in ${ADMIN_PASSWORD_VARIABLE}.`,
    )
    .addCommand(
      new Command('list').description('Lists tokens, without their secrets.').action(async () => {
        const tokens = await (await adminClient(shell)).listAccessTokens({ signal });
        terminal.result(tokens, () =>
          terminal.table(
            [{ title: 'id', align: 'right' }, 'name', 'permission', 'collections', 'created', 'expires'],
            tokens.map(({ id, name, permission, collections, created_at: created, expired_at: expires }) => [
              id,
              name,
              permission,
              collections?.join(', ') ?? 'all',
              created,
              expires ?? 'never',
            ]),
          ),
        );
      }),
    )
    .addCommand(
      new Command('create')
        .description('Creates a token and prints its secret. The secret is not shown again.')
        .argument('<name>', 'name that says what the token is for')
        .requiredOption('--permission <list>', `any of ${PERMISSIONS.join(', ')}`, permissions)
        .option('--expires-in <seconds>', 'lifetime of the token (default: until it is deleted)', wholeNumber({ min: 1 }))
        .option('--collections <list>', 'collections and aliases that the token is limited to, separated by commas (default: all)', list)
        .option('--description <text>', 'description of the token')
        .action(async (name, { permission, expiresIn, collections, description }) => {
          const client = await adminClient(shell);
          const token = await client.createAccessToken(
            {
              name,
              permission: permission.join(','),
              ...(expiresIn !== undefined && { will_expire: true, expires_in_seconds: expiresIn }),
              ...(collections !== undefined && { collections: [...collections] }),
              ...(description !== undefined && { description }),
            },
            { signal },
          );
          terminal.note(`Token ${token.id} (${name}) is created. Its secret is not shown again.`);
          terminal.result(token, () => token.api_key);
        }),
    )
    .addCommand(
      new Command('rotate')
        .description('Gives a token a new secret and prints it. The new secret is not shown again; the old secret stops working.')
        .argument('<id>', 'its number', wholeNumber())
        .action(async (id) => {
          const token = await (await adminClient(shell)).rotateAccessToken(id, { signal });
          terminal.note(`Token ${id} (${token.name}) has a new secret. It is not shown again.`);
          terminal.result(token, () => token.api_key);
        }),
    )
    .addCommand(
      new Command('delete')
        .description('Deletes a token; it stops working at once.')
        .argument('<id>', 'its number', wholeNumber())
        .action(async (id) => {
          await (await adminClient(shell)).deleteAccessToken(id, { signal });
          terminal.result({ id, deleted: true }, () => `Deleted token ${id}.`);
        }),
    );
}

function permissions(text: string): readonly string[] {
  const wanted = list(text);
  const unknown = wanted.find((permission) => !PERMISSIONS.includes(permission));
  if (wanted.length > 0 && unknown === undefined) return wanted;
  throw new CommandFailure(
    'usage',
    `${JSON.stringify(unknown ?? text)} is not a permission; expected one or more of ${PERMISSIONS.join(', ')}, separated by commas`,
  );
}
