// SPDX-License-Identifier: Apache-2.0
/** The little Markdown that the reference pages need. */

/** Says at the head of a page where it comes from, so that nobody edits it by hand. */
export function generatedPage(title: string, ...blocks: readonly string[]): string {
  return `${[`# ${title}`, '<!-- Written by `npm run generate`. -->', ...blocks].join('\n\n')}\n`;
}

/** A table; cells may hold anything but line breaks. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}
