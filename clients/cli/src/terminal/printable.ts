// SPDX-License-Identifier: Apache-2.0
/**
 * Text that comes from a service or a file, made safe to print: a terminal obeys control characters, so a payload could move the cursor or rename the
 * window. They are shown as escapes instead, and so are the characters that turn the direction of writing around.
 */

const COMMANDING = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Line feeds stay. */
export function printable(text: string): string {
  return text.replaceAll(COMMANDING, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same for one cell or line: line feeds become spaces. */
export function printableLine(text: string): string {
  return printable(text.replaceAll(/\s*\n\s*/g, ' '));
}
