// SPDX-License-Identifier: Apache-2.0
/** Completion for zsh: one function for each command, which hands what follows a subcommand's name to that one's function. */
import type { CommandFacts, OptionFacts } from './command-tree.ts';
import { flattened } from './command-tree.ts';

export function zshCompletion(program: CommandFacts): string {
  const functions = flattened(program).map((command) => functionOf(command, command === program ? [] : program.options));
  return `#compdef sextant
# zsh completion for sextant; load it with: source <(sextant completion zsh)
${functions.join('\n')}
compdef _sextant sextant
`;
}

function functionOf({ path, options, commands, arguments: taken }: CommandFacts, inherited: readonly OptionFacts[]): string {
  const name = `_${path.join('_').replaceAll('-', '_')}`;
  const specs = [...options, ...inherited].map((option) => `    ${quoted(optionSpec(option))}`);
  if (commands.length === 0) {
    const positional = taken.map(({ usage, choices }) => {
      const action = choices.length > 0 ? `(${choices.join(' ')})` : '_files';
      return `    ${quoted(`${usage.includes('...') ? '*' : usage.startsWith('[') ? ':' : ''}:${escaped(usage)}:${action}`)}`;
    });
    return `${name}() {\n  _arguments \\\n${[...specs, ...positional].join(' \\\n')}\n}`;
  }
  const described = commands.map((command) => `      ${quoted(`${command.path.at(-1)}:${escaped(command.summary)}`)}`);
  const branches = commands.map((command) => `        ${command.path.at(-1)}) _${command.path.join('_').replaceAll('-', '_')} ;;`);
  return `${name}() {
  local line state
  _arguments -C \\
${[...specs, "    '1: :->command'", "    '*::argument:->rest'"].join(' \\\n')}
  case $state in
    command)
      local -a commands=(
${described.join('\n')}
      )
      _describe command commands ;;
    rest)
      case $line[1] in
${branches.join('\n')}
      esac ;;
  esac
}`;
}

function optionSpec({ long, description, takesValue, choices }: OptionFacts): string {
  const value = takesValue ? `:value:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}` : '';
  return `${long}[${escaped(description)}]${value}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
