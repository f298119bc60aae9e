// SPDX-License-Identifier: Apache-2.0
/** `sextant completion`: what a shell needs to complete the other commands. */
import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { bashCompletion } from '../completion/bash.ts';
import { commandTree } from '../completion/command-tree.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';
import type { Shell } from '../shell.ts';

const WRITERS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export function completionCommand({ terminal }: Shell, program: () => CommandUnknownOpts): CommandUnknownOpts {
  return new Command('completion')
    .summary('print the completion script of a shell')
    .description('Prints a script that completes sextant commands in a shell: `source <(sextant completion bash)`.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'] as const))
    .action((shell) => terminal.write(WRITERS[shell](commandTree(program()))));
}
