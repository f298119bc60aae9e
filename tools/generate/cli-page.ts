// SPDX-License-Identifier: Apache-2.0
import {
  ADMIN_PASSWORD_VARIABLE,
  type CommandFacts,
  commandReference,
  EXIT_CODES,
  flattened,
  MCP_TOKEN_VARIABLE,
  type OptionFacts,
  VARIABLES,
} from '@sextant/cli';
import { code, generatedPage, table } from './markdown.ts';

/** Every command of `sextant`, from the definitions that parse it. */
export function cliPage(): string {
  const program = commandReference();
  const commands = flattened(program).filter((command) => command !== program && command.commands.length === 0);
  return generatedPage(
    'Command line',
    '`npx @sextant/cli` runs the command line in any folder; in a clone, run `node tools/bootstrap.mjs` once, then `npm exec -- sextant`. Results go to standard output, as a table for people or, with ' +
      '`--json`, as JSON for programs; progress, hints and errors go to standard error. `NO_COLOR` switches colours off. Ctrl-C stops a command gracefully; ' +
      'a second Ctrl-C stops it at once.',
    '## Addresses and credentials',
    'A flag overrides the environment, and the environment overrides the configuration file, which is JSON with any of `url`, `api_key`, `observability_url`, ' +
      '`observability_key` and `tenant`. Keys are never printed; make a file that contains one readable by its owner alone.',
    table(
      ['Variable', 'Meaning'],
      [
        ...Object.values(VARIABLES).map(({ name, meaning }) => [code(name), meaning]),
        [code(ADMIN_PASSWORD_VARIABLE), "The password of the vector service's admin, for `sextant tokens`"],
        [code(MCP_TOKEN_VARIABLE), 'What callers of `sextant mcp` over HTTP have to send'],
      ],
    ),
    '## Options of every command',
    optionTable(program.options),
    '## Commands',
    ...commands.flatMap(commandSection),
    '## Exit codes',
    table(
      ['Code', 'Meaning'],
      Object.values(EXIT_CODES).map(({ code: number, meaning }) => [number, meaning]),
    ),
    '## Completion',
    'bash: `source <(sextant completion bash)` in `~/.bashrc`; zsh: `source <(sextant completion zsh)` in `~/.zshrc`, after `compinit`; fish: ' +
      '`sextant completion fish > ~/.config/fish/completions/sextant.fish`.',
  );
}

function commandSection({ path, description, arguments: taken, options }: CommandFacts): readonly string[] {
  const usage = [...path, ...(options.length > 0 ? ['[options]'] : []), ...taken.map(({ usage: word }) => word)].join(' ');
  return [
    `### ${path.join(' ')}`,
    description,
    `\`\`\`sh\n${usage}\n\`\`\``,
    ...(taken.length === 0
      ? []
      : [
          table(
            ['Argument', 'Meaning'],
            taken.map(({ usage: word, description: meaning, choices }) => [code(word), meaning + oneOf(choices)]),
          ),
        ]),
    ...(options.length === 0 ? [] : [optionTable(options)]),
  ];
}

function optionTable(options: readonly OptionFacts[]): string {
  return table(
    ['Option', 'Default', 'Meaning'],
    options.map(({ flags, fallback, description, choices, mandatory }) => [
      code(flags),
      fallback === undefined ? (mandatory ? 'required' : '') : code(fallback),
      description + oneOf(choices),
    ]),
  );
}

function oneOf(choices: readonly string[]): string {
  return choices.length === 0 ? '' : `: ${choices.map(code).join(', ')}`;
}
