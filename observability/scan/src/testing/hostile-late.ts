// SPDX-License-Identifier: Apache-2.0
/**
 * Text whose line ends mix only behind what is looked at to find how it is read, which is its first 256 KiB. To look through all of it before each scan would
 * cost as much as to read it: it is refused, or the rows that do not fit are rejected and counted.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type HostileFile, NAMES } from './hostile-file.ts';

const LOOKED_AT_BYTES = 262_144;
/** Long lines, of which few are many bytes, also where they are packed. */
const EARLY_ROWS = Array.from({ length: 2048 }, (_, index) => [
  String(index),
  `value ${createHash('shake256', { outputLength: LOOKED_AT_BYTES / 2048 })
    .update(String(index))
    .digest('hex')}`,
]);
const LATE_ROWS = 1000;

function early(end = '\n'): string {
  return [['id', 'name'], ...EARLY_ROWS].map((row) => row.join(',') + end).join('');
}

function late(end: string, quote = ''): string {
  return Array.from({ length: LATE_ROWS }, (_, index) => `${index},${quote}late ${index}${quote}${end}`).join('');
}

const REFUSED = { refused: /line ends of more than one kind/ };

export const LATE_LINE_ENDS: readonly HostileFile[] = [
  { kind: 'CR LF only late', name: 'a.csv', content: early() + late('\r\n'), expected: REFUSED },
  { kind: 'CR LF only late, packed', name: 'a.csv.gz', content: gzipSync(early() + late('\r\n')), expected: REFUSED },
  { kind: 'one CR LF, late', name: 'a.csv', content: `${early()}7,a\r\n`, expected: REFUSED },
  { kind: 'LF only late, behind CR LF', name: 'a.csv', content: early('\r\n') + late('\n'), expected: REFUSED },
  { kind: 'CR only late', name: 'a.csv', content: early() + late('\r'), expected: REFUSED },
  { kind: 'LF only late, behind CR', name: 'a.csv', content: early('\r') + late('\n'), expected: REFUSED },
  { kind: 'a CR in a value, late', name: 'a.csv', content: `${early()}7,a\rb\n`, expected: REFUSED },
  {
    kind: 'CR LF only late, behind quotes',
    name: 'a.csv',
    content: early() + late('\r\n', '"'),
    expected: { columns: NAMES, rows: EARLY_ROWS, rejected: LATE_ROWS },
  },
  {
    kind: 'CR LF in quotes, late',
    name: 'a.csv',
    content: `${early()}7,"a\r\nb"\n`,
    expected: { columns: NAMES, rows: [...EARLY_ROWS, ['7', 'a\r\nb']] },
  },
];
