// SPDX-License-Identifier: Apache-2.0
/** Completion for fish: a line for each word, with the condition under which it is offered. */
import type { CommandFacts } from './command-tree.ts';
import { flattened } from './command-tree.ts';

export function fishCompletion(program: CommandFacts): string {
  const lines = flattened(program).flatMap((command) => linesOf(command, command === program));
  return `# fish completion for sextant; load it with: sextant completion fish | source\n${lines.join('\n')}\n`;
}

function linesOf({ path, commands, options, arguments: taken }: CommandFacts, isProgram: boolean): readonly string[] {
  const seen = path.slice(1).map((word) => `__fish_seen_subcommand_from ${word}`);
  const names = commands.map((command) => command.path.at(-1) ?? '');
  const atNone = isProgram ? ['__fish_use_subcommand'] : [...seen, `not __fish_seen_subcommand_from ${names.join(' ')}`];
  return [
    ...commands.map((command) => completion(atNone, `-f -a ${quoted(command.path.at(-1) ?? '')} -d ${quoted(command.summary)}`)),
    ...taken.filter(({ choices }) => choices.length > 0).map(({ choices }) => completion(seen, `-f -a ${quoted(choices.join(' '))}`)),
    ...options.map(({ long, short, description, takesValue, choices }) => {
      const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
      const letter = short === undefined ? '' : ` -s ${short.slice(1)}`;
      return completion(seen, `-l ${long.slice(2)}${letter}${value} -d ${quoted(description)}`);
    }),
  ];
}

function completion(conditions: readonly string[], what: string): string {
  const condition = conditions.length === 0 ? '' : ` -n ${quoted(conditions.join('; and '))}`;
  return `complete -c sextant${condition} ${what}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
