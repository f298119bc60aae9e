// SPDX-License-Identifier: Apache-2.0
/** Separators as people see and type them. */

export function shownCharacter(character: string): string {
  return character === '\t' ? '\\t' : character;
}

export function typedCharacter(text: string): string {
  return text === '\\t' ? '\t' : text;
}
