// SPDX-License-Identifier: Apache-2.0
/** What the program takes, for those who write it down. */
import { type CommandFacts, commandTree } from './completion/command-tree.ts';
import { processProgram } from './process-program.ts';

export function commandReference(): CommandFacts {
  const { program } = processProgram(new AbortController().signal);
  return commandTree(program);
}
