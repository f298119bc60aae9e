// SPDX-License-Identifier: Apache-2.0
/** What a Dockerfile says, as far as ours go: stages of instructions, each on one line. */

export type Instruction = { readonly keyword: string; readonly text: string };

export type Stage = {
  readonly name: string;
  /** The stage or image that it begins with. */
  readonly base: string;
  readonly instructions: readonly Instruction[];
};

export function stagesOf(dockerfile: string): readonly Stage[] {
  const stages: (Stage & { readonly instructions: Instruction[] })[] = [];
  for (const line of dockerfile.split('\n')) {
    const [, keyword = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (keyword === 'FROM') {
      const [base = '', name = ''] = text.split(' AS ');
      stages.push({ name, base, instructions: [] });
    } else if (keyword !== '' && stages.length > 0) stages.at(-1)?.instructions.push({ keyword, text });
    else if (keyword !== 'ARG' && line !== '' && !line.startsWith('#')) throw new Error(`a line that is no instruction: ${line}`);
  }
  return stages;
}

/** The stage with those that it begins with, the first of them first. */
export function instructionsOf(stages: readonly Stage[], name: string): readonly Instruction[] {
  const stage = stages.find((each) => each.name === name);
  return stage === undefined ? [] : [...instructionsOf(stages, stage.base), ...stage.instructions];
}

export function textsOf(instructions: readonly Instruction[], keyword: string): readonly string[] {
  return instructions.filter((each) => each.keyword === keyword).map(({ text }) => text);
}

export function environmentOf(instructions: readonly Instruction[]): { readonly [name: string]: string } {
  return Object.fromEntries(textsOf(instructions, 'ENV').map((text) => text.split('=') as [string, string]));
}

/** Of an instruction in the form of JSON. */
export function commandOf(instructions: readonly Instruction[], keyword: string): readonly string[] {
  const text = textsOf(instructions, keyword).at(-1) ?? '';
  // Docker would not take it either if it were none.
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}
