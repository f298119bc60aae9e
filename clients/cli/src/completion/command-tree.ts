// SPDX-License-Identifier: Apache-2.0
/** The commands as a tree of names and texts: what the reference page and the shell completions are made of. */
import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';

export type OptionFacts = {
  /** As it is written: `--limit <n>`. */
  readonly flags: string;
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly fallback: string | undefined;
  readonly choices: readonly string[];
  readonly takesValue: boolean;
  readonly mandatory: boolean;
};

export type ArgumentFacts = { readonly usage: string; readonly description: string; readonly choices: readonly string[] };

export type CommandFacts = {
  /** Words from the program's name on: `['sextant', 'collections', 'list']`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly arguments: readonly ArgumentFacts[];
  readonly options: readonly OptionFacts[];
  readonly commands: readonly CommandFacts[];
};

export function commandTree(command: CommandUnknownOpts, above: readonly string[] = []): CommandFacts {
  const path = [...above, command.name()];
  return {
    path,
    summary: command.summary() || command.description(),
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => ({
      usage: argument.required
        ? `<${argument.name()}${argument.variadic ? '...' : ''}>`
        : `[${argument.name()}${argument.variadic ? '...' : ''}]`,
      description: argument.description,
      choices: argument.argChoices ?? [],
    })),
    options: command.options.filter(({ hidden }) => !hidden).map(optionFacts),
    commands: command.commands.map((child) => commandTree(child, path)),
  };
}

function optionFacts(option: Option): OptionFacts {
  const { flags, long, short, description, defaultValue, argChoices, required, optional, mandatory } = option;
  // Commander types a default as anything; what is no text or number (an empty list) is none worth showing.
  const fallback: unknown = defaultValue;
  return {
    flags,
    long: long ?? flags,
    short,
    description,
    fallback: typeof fallback === 'string' || typeof fallback === 'number' ? String(fallback) : undefined,
    choices: argChoices ?? [],
    takesValue: required || optional,
    mandatory,
  };
}

/** Every command below, itself first. */
export function flattened(command: CommandFacts): readonly CommandFacts[] {
  return [command, ...command.commands.flatMap(flattened)];
}
