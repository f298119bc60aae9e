// SPDX-License-Identifier: Apache-2.0
/** Figures as Markdown, aligned so that they read as well in a terminal. */

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export function whole(value: number | undefined): string {
  return value === undefined ? '-' : Math.round(value).toLocaleString('en');
}

export function fixed(value: number | undefined, digits: number): string {
  return value === undefined ? '-' : value.toFixed(digits);
}

/** How many times `other` the value is. */
export function times(value: number | undefined, other: number | undefined): string {
  return value === undefined || other === undefined ? '-' : `${(value / other).toFixed(2)} x`;
}

export function megabytes(bytes: number | undefined): string {
  return whole(bytes && bytes / 2 ** 20);
}
