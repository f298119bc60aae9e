// SPDX-License-Identifier: Apache-2.0
/** Names with `*` for any text, compiled once each: a pattern is asked for every row. */

const compiled = new Map<string, (column: string) => boolean>();

export function columnMatcher(pattern: string): (column: string) => boolean {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const expression = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 's');
  const matches = (column: string) => expression.test(column);
  compiled.set(pattern, matches);
  return matches;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
