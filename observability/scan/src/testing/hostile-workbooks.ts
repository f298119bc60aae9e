// SPDX-License-Identifier: Apache-2.0
/** Excel workbooks as people make them. */
import writeWorkbook, { type SheetData } from 'write-excel-file/node';
import { type HostileFile, two } from './hostile-file.ts';

const DAY = (day: string) => ({ value: new Date(`${day}Z`), type: Date, format: 'yyyy-mm-dd' });

async function workbook(sheets: { readonly [name: string]: SheetData }): Promise<Buffer> {
  return writeWorkbook(Object.entries(sheets).map(([sheet, data]) => ({ sheet, data }))).toBuffer();
}

const TABLE: SheetData = [
  ['id', 'zip', 'day', 'price', 'paid'],
  [1, '01234', DAY('2026-01-31T00:00'), 1.5, true],
  [2, '10115', DAY('2026-02-01T00:00'), null, false],
];
const TABLE_RIGHT = {
  columns: ['id INTEGER', 'zip STRING', 'day DATE', 'price DECIMAL', 'paid BOOLEAN'],
  rows: [
    ['1', '01234', '2026-01-31', '1.5', 'true'],
    ['2', '10115', '2026-02-01', null, 'false'],
  ],
};
const NAMES: SheetData = [
  ['id', 'name'],
  [1, 'a "b", c'],
  [2, ' d\ne '],
];
const PLAIN = await workbook({ Sheet1: TABLE });

export const HOSTILE_WORKBOOKS: readonly HostileFile[] = [
  { kind: 'a workbook', name: 'a.xlsx', content: PLAIN, expected: TABLE_RIGHT },
  {
    kind: 'a workbook of another name',
    name: 'a.csv',
    content: PLAIN,
    expected: TABLE_RIGHT,
  },
  {
    kind: 'a title and an empty row above the table of a workbook',
    name: 'a.xlsx',
    content: await workbook({ Sheet1: [['Orders of the month'], [null], ...TABLE, [null, null]] }),
    expected: TABLE_RIGHT,
  },
  {
    kind: 'an empty first sheet; separators, quotes, spaces and line ends in cells',
    name: 'a.xlsx',
    content: await workbook({ Cover: [[null]], Names: NAMES }),
    expected: two('a "b", c', ' d\ne '),
  },
  {
    kind: 'a sheet that is said',
    name: 'a.xlsx',
    content: await workbook({ Orders: TABLE, Names: NAMES }),
    reading: { sheet: 'Names' },
    expected: two('a "b", c', ' d\ne '),
  },
  {
    kind: 'a sheet that is not there',
    name: 'a.xlsx',
    content: PLAIN,
    reading: { sheet: 'Names' },
    expected: { refused: /has no sheet "Names"; it has "Sheet1"/ },
  },
  {
    kind: 'digits in cells of text, and in cells of numbers',
    name: 'a.xlsx',
    content: await workbook({ Sheet1: [['code', 'n'], ...Array.from({ length: 5 }, (_, row) => [String(row + 10), row + 10])] }),
    expected: {
      columns: ['code STRING', 'n INTEGER'],
      rows: Array.from({ length: 5 }, (_, row) => [String(row + 10), String(row + 10)]),
    },
  },
  {
    kind: 'a text among the numbers of a workbook',
    name: 'a.xlsx',
    content: await workbook({ Sheet1: [['id', 'n'], ...Array.from({ length: 200 }, (_, row) => [row, row === 7 ? '#DIV/0!' : 2 * row])] }),
    expected: {
      columns: ['id INTEGER', 'n INTEGER'],
      rows: Array.from({ length: 200 }, (_, row) => [String(row), row === 7 ? null : String(2 * row)]),
      mismatches: { n: 1 },
    },
  },
  {
    kind: 'times of the day in a workbook',
    name: 'a.xlsx',
    content: await workbook({ Sheet1: [['at'], [DAY('2026-01-31T10:30')], [DAY('2026-01-31T00:00')]] }),
    expected: { columns: ['at TIMESTAMP'], rows: [['2026-01-31 10:30:00'], ['2026-01-31 00:00:00']] },
  },
  {
    kind: 'a workbook that was cut',
    name: 'a.xlsx',
    content: PLAIN.subarray(0, PLAIN.length - 200),
    expected: { refused: /not a readable workbook|a ZIP archive/ },
  },
  { kind: 'a workbook whose middle is damaged', name: 'a.xlsx', content: damaged(PLAIN), expected: { refused: /not a readable workbook/ } },
];

/** All bytes of the parts, whose list at the end stays. */
function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.fill(0x55, 100, copy.length - 2000);
  return copy;
}
