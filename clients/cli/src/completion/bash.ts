// SPDX-License-Identifier: Apache-2.0
/** Completion for bash: a function that finds the command among the words so far and offers what that one takes. */
import type { CommandFacts } from './command-tree.ts';
import { flattened } from './command-tree.ts';

export function bashCompletion(program: CommandFacts): string {
  const cases = flattened(program).map(({ path, commands, options, arguments: taken }) => {
    const words = [
      ...commands.map((command) => command.path.at(-1) ?? ''),
      ...options.flatMap(({ long, short }) => (short === undefined ? [long] : [long, short])),
      ...taken.flatMap(({ choices }) => choices),
    ];
    return `    ${quoted(path.slice(1).join(' '))}) words=${quoted(words.join(' '))} ;;`;
  });
  const valueCases = flattened(program).flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ long, choices }) => `    ${quoted(`${path.slice(1).join(' ')} ${long}`.trim())}) values=${quoted(choices.join(' '))} ;;`),
  );
  const commandNames = flattened(program).flatMap(({ path }) => (path.length > 1 ? [path.slice(1).join(' ')] : []));
  const everywhere = program.options.map(({ long }) => long).join(' ');
  return `# bash completion for sextant; load it with: source <(sextant completion bash)
_sextant() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" word words="" values=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${command:+$command }$word" in
      ${commandNames.map(quoted).join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  case "\${command:+$command }$previous" in
${valueCases.join('\n')}
  esac
  if [[ -n "$values" ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
    return
  fi
  case "$command" in
${cases.join('\n')}
  esac
  if [[ "$current" == -* ]]; then words="$words ${everywhere}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _sextant sextant
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
