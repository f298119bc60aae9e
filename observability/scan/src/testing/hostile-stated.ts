// SPDX-License-Identifier: Apache-2.0
/** Text that is read as people say: each of these is read in another way, or not at all, where nothing is said. */
import { type HostileFile, NAMES, two } from './hostile-file.ts';

export const STATED_READINGS: readonly HostileFile[] = [
  { kind: 'a quote that is said', content: 'id,name\n1,|a, b|\n2,|c|\n', reading: { quote: '|' }, expected: two('a, b', 'c') },
  { kind: 'quotes that are denied', content: 'id,name\n1,"a"\n2,"b\n', reading: { quote: '' }, expected: two('"a"', '"b') },
  {
    kind: 'an escape that is said',
    content: 'id,name\n1,"say ^"hi^", all"\n2,b\n',
    reading: { escape: '^' },
    expected: two('say "hi", all', 'b'),
  },
  {
    kind: 'an escape that is denied',
    content: 'id,name\n1,"a"\n2,"D:\\"\n3,"c"\n',
    reading: { quote: '"', escape: '' },
    expected: two('a', 'D:\\', 'c'),
  },
  {
    kind: 'null words that are said',
    content: 'id,name\n1,a\nmissing,b\n3,missing\n4,NULL\n',
    reading: { null_words: ['missing'] },
    expected: {
      columns: NAMES,
      rows: [
        ['1', 'a'],
        [null, 'b'],
        ['3', null],
        ['4', 'NULL'],
      ],
    },
  },
  {
    kind: 'null words that are denied',
    content: 'n\n1\nNULL\n3\n',
    reading: { null_words: [] },
    expected: { columns: ['n STRING'], rows: [['1'], ['NULL'], ['3']] },
  },
  {
    kind: 'a decimal comma that is said',
    content: 'a;b\n1,234;x\n-5,678;y\n1.5;z\n',
    reading: { decimal_separator: ',', types: { a: 'DECIMAL' } },
    expected: {
      columns: ['a DECIMAL', 'b STRING'],
      rows: [
        ['1.234', 'x'],
        ['-5.678', 'y'],
        [null, 'z'],
      ],
      mismatches: { a: 1 },
    },
  },
  {
    kind: 'a decimal point that is said',
    content: 'a;b\n1,5;x\n22,75;y\n',
    reading: { decimal_separator: '.' },
    expected: {
      columns: ['a STRING', 'b STRING'],
      rows: [
        ['1,5', 'x'],
        ['22,75', 'y'],
      ],
    },
  },
  {
    kind: 'days before months that are said',
    content: 'd\n01/02/2024\n03/04/2025\n',
    reading: { date_format: '%d/%m/%Y' },
    expected: { columns: ['d DATE'], rows: [['2024-02-01'], ['2025-04-03']] },
  },
  {
    kind: 'months before days that are said',
    content: 'd\n01/02/2024\n03/04/2025\n',
    reading: { date_format: '%m/%d/%Y' },
    expected: { columns: ['d DATE'], rows: [['2024-01-02'], ['2025-03-04']] },
  },
];
