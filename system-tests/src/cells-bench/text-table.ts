// SPDX-License-Identifier: Apache-2.0
/** Tables of text, and their files. */
import { writeFile } from 'node:fs/promises';

export type TextTable = { readonly name: string; readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };

export async function writeCsv(path: string, { columns, rows }: TextTable): Promise<void> {
  const lines = [columns, ...rows].map((row) => row.map(quoted).join(','));
  await writeFile(path, `${lines.join('\n')}\n`);
}

function quoted(value: string): string {
  return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Reads RFC 4180. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const source = text.replace(/^\uFEFF/, '');
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (source[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === ',' || character === '\n' || character === '\r') {
      if (character === '\r' && source[at + 1] === '\n') at += 1;
      row.push(cell);
      cell = '';
      if (character !== ',') {
        rows.push(row);
        row = [];
      }
    } else cell += character;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows.filter((each) => each.length > 1 || each[0] !== '');
}
