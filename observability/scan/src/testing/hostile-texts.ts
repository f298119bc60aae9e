// SPDX-License-Identifier: Apache-2.0
/** Delimited text in all the layouts that it comes in. */
import { type HostileFile, type HostileKinds, lines, NAMES, type Right, TABLE, two, WITHOUT_HEADER } from './hostile-file.ts';

const DELIMITERS: readonly HostileFile[] = [
  ...([',', ';', '\t', '|', '^', '~', '\u0001'] as const).map((separator) => ({
    kind: `separator ${JSON.stringify(separator)}`,
    content: lines({ separator }),
    expected: TABLE,
  })),
  { kind: 'separator space', content: lines({ separator: ' ' }), expected: TABLE },
  { kind: 'a separator that is said', content: lines({ separator: ':' }), reading: { separator: ':' }, expected: TABLE },
  { kind: 'a separator and a space', content: 'id, name\n1, a\n2, b\n', expected: two(' a', ' b') },
  {
    kind: 'a separator of two characters',
    content: 'id||name\n1||a\n2||b\n',
    expected: {
      columns: ['id INTEGER', 'column1 STRING', 'name STRING'],
      rows: [
        ['1', null, 'a'],
        ['2', null, 'b'],
      ],
    },
  },
  { kind: 'commas in quoted values', content: 'id;name\n1;"a, b"\n2;"c, d, e"\n', expected: two('a, b', 'c, d, e') },
  { kind: 'separators in values of text', content: 'id,name\n1,a;b\n2,c;d\n', expected: two('a;b', 'c;d') },
  {
    kind: 'one column of times',
    content: 'at\n2025-01-01 10:00\n2025-01-02 11:30\n2025-01-03 12:00\n',
    expected: { columns: ['at TIMESTAMP'], rows: [['2025-01-01 10:00:00'], ['2025-01-02 11:30:00'], ['2025-01-03 12:00:00']] },
  },
  {
    kind: 'one column of sentences',
    content: 'text\na b c\nd e f\n',
    expected: { columns: ['text STRING'], rows: [['a b c'], ['d e f']] },
  },
  {
    kind: 'decimal commas',
    content: 'a;b\n1,5;x\n22,75;y\n-0,25;z\n',
    expected: {
      columns: ['a DECIMAL', 'b STRING'],
      rows: [
        ['1.5', 'x'],
        ['22.75', 'y'],
        ['-0.25', 'z'],
      ],
    },
  },
];

const QUOTES: readonly HostileFile[] = [
  { kind: 'all quoted', content: lines({ quote: '"' }), expected: TABLE },
  { kind: 'single quotes', content: "id,name\n1,'a, b'\n2,'c'\n", expected: two('a, b', 'c') },
  { kind: 'apostrophes', content: "id,name\n1,O'Neill\n2,'tis\n3,rock 'n' roll\n", expected: two("O'Neill", "'tis", "rock 'n' roll") },
  { kind: 'line ends in quotes', content: 'id,name\n1,"two\nlines"\n2,"two\r\nmore"\n', expected: two('two\nlines', 'two\r\nmore') },
  { kind: 'quotes in values', content: 'id,name\n1,5" disk\n2,b\n', expected: two('5" disk', 'b') },
  {
    kind: 'text behind a quote',
    content: 'id,name\n1,"a"b\n2,c\n3,d\n',
    expected: {
      columns: NAMES,
      rows: [
        ['2', 'c'],
        ['3', 'd'],
      ],
      rejected: 1,
    },
  },
  {
    kind: 'a quote that is never closed',
    content: 'id,name\n1,a\n2,b\n3,"open',
    expected: {
      columns: NAMES,
      rows: [
        ['1', 'a'],
        ['2', 'b'],
      ],
      rejected: 1,
    },
  },
  {
    kind: 'quoted and unquoted nothing',
    content: 'id,name\n1,""\n2,\n3,x\n',
    expected: {
      columns: NAMES,
      rows: [
        ['1', ''],
        ['2', null],
        ['3', 'x'],
      ],
    },
  },
  {
    kind: 'quoted numbers and nothing',
    content: '"id","name"\n"1","a"\n"","b"\n"3","c"\n',
    expected: {
      columns: NAMES,
      rows: [
        ['1', 'a'],
        [null, 'b'],
        ['3', 'c'],
      ],
    },
  },
  { kind: 'spaces before quotes', content: 'id,name\n1, "a, b"\n2, "c"\n', expected: two('a, b', 'c') },
];

const ESCAPES: readonly HostileFile[] = [
  { kind: 'doubled quotes', content: 'id,name\n1,"say ""hi"""\n2,b\n', expected: two('say "hi"', 'b') },
  { kind: 'backslash before quotes', content: 'id,name\n1,"say \\"hi\\", all"\n2,b\n', expected: two('say "hi", all', 'b') },
  { kind: 'backslash before itself', content: 'id,name\n1,"a \\\\ b, \\"c\\""\n2,b\n', expected: two('a \\ b, "c"', 'b') },
  { kind: 'doubled single quotes', content: "id,name\n1,'it''s, yes'\n2,'c'\n", expected: two("it's, yes", 'c') },
  { kind: 'backslashes in values', content: 'id,name\n1,C:\\temp\\new\n2,"D:\\a, b"\n', expected: two('C:\\temp\\new', 'D:\\a, b') },
];

const RECORD_ENDS: readonly HostileFile[] = [
  { kind: 'CR LF', content: lines({ end: '\r\n' }), expected: TABLE },
  { kind: 'CR', content: lines({ end: '\r' }), expected: TABLE },
  { kind: 'CR LF and LF', content: 'id,name\r\n1,a\n2,b\r\n3,c\n', expected: two('a', 'b', 'c') },
  { kind: 'CR LF and LF, with line ends in quotes', content: 'id,name\r\n1,"a\r\nb"\n2,c\r\n', expected: two('a\r\nb', 'c') },
  { kind: 'CR within LF', content: 'id,name\n1,a\rb\n2,c\n', expected: { refused: /line ends/ } },
  { kind: 'no last line end', content: lines().trimEnd(), expected: TABLE },
  { kind: 'blank lines', content: 'id,name\n\n1,a\n\n\n2,b\n\n', expected: two('a', 'b') },
  { kind: 'blank lines before', content: '\n\r\n\nid,name\n1,a\n2,b\n'.replace('\r', ''), expected: two('a', 'b') },
  { kind: 'a last line that was cut', content: 'id,name\n1,a\n2,b\n3', expected: { ...two('a', 'b'), rejected: 1 } },
];

const OPEN_ENDED: Right = {
  columns: ['id INTEGER', 'name STRING', 'column2 STRING'],
  rows: [
    ['1', 'a', null],
    ['2', 'b', null],
  ],
};

const HEADERS: readonly HostileFile[] = [
  { kind: 'no header', content: lines({ header: false }), expected: WITHOUT_HEADER },
  {
    kind: 'header that is denied',
    content: 'a,b\nc,d\n',
    reading: { header: false },
    expected: {
      columns: ['column0 STRING', 'column1 STRING'],
      rows: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
  },
  {
    kind: 'pandas to_csv',
    content: ',name,n\n0,a,5\n1,b,6\n',
    expected: {
      columns: ['column0 INTEGER', 'name STRING', 'n INTEGER'],
      rows: [
        ['0', 'a', '5'],
        ['1', 'b', '6'],
      ],
    },
  },
  {
    kind: 'pandas to_csv of text',
    content: ',name\n0,a\n1,b\n',
    expected: {
      columns: ['column0 INTEGER', 'name STRING'],
      rows: [
        ['0', 'a'],
        ['1', 'b'],
      ],
    },
  },
  {
    kind: 'R write.table',
    content: 'name,n\n1,a,5\n2,b,6\n',
    expected: {
      columns: ['column0 INTEGER', 'name STRING', 'n INTEGER'],
      rows: [
        ['1', 'a', '5'],
        ['2', 'b', '6'],
      ],
    },
  },
  {
    kind: 'a name that is missing',
    content: 'id,,price\n1,a,2.5\n2,b,3\n',
    expected: {
      columns: ['id INTEGER', 'column1 STRING', 'price DECIMAL'],
      rows: [
        ['1', 'a', '2.5'],
        ['2', 'b', '3.0'],
      ],
    },
  },
  { kind: 'a separator at the end of each line', content: 'id,name,\n1,a,\n2,b,\n', expected: OPEN_ENDED },
  { kind: 'a separator at the end of each row, and none in the header', content: 'id,name\n1,a,\n2,b,\n', expected: OPEN_ENDED },
  {
    kind: 'a second line of header',
    content: `id,name\nnumber,text\n${'7,a\n'.repeat(200)}`,
    expected: { columns: NAMES, rows: [[null, 'text'], ...Array.from({ length: 200 }, () => ['7', 'a'])], mismatches: { id: 1 } },
  },
  {
    kind: 'a name twice',
    content: 'a,a,A\n1,2,3\n',
    expected: { columns: ['a INTEGER', 'a_1 INTEGER', 'A_2 INTEGER'], rows: [['1', '2', '3']] },
  },
  {
    kind: 'names with quotes and line ends',
    content: '"a ""b""","c\nd"\n1,2\n',
    expected: { columns: ['a "b" INTEGER', 'c\nd INTEGER'], rows: [['1', '2']] },
  },
  { kind: 'a header alone', content: 'id,name\n', expected: { columns: ['id STRING', 'name STRING'], rows: [] } },
  { kind: 'no bytes', content: '', expected: { columns: [], rows: [] } },
  { kind: 'a byte order mark', content: `\ufeff${lines()}`, expected: TABLE },
  { kind: 'a header in quotes behind a byte order mark', content: `\ufeff${lines({ quote: '"' })}`, expected: TABLE },
];

const PREAMBLES: readonly HostileFile[] = [
  { kind: 'a line with #', content: `# exported 2025-01-01\n${lines()}`, expected: TABLE },
  { kind: 'a line with # that has commas', content: `# exported, by, x\n${lines()}`, expected: TABLE },
  {
    kind: 'a header with #',
    content: '#id,name\n1,a\n2,b\n',
    expected: {
      columns: ['#id INTEGER', 'name STRING'],
      rows: [
        ['1', 'a'],
        ['2', 'b'],
      ],
    },
  },
  { kind: 'a title', content: `Report of sales\n\n${lines()}`, expected: TABLE },
  { kind: 'a title of several lines', content: `Report of sales\nfrom,to\n${lines()}`, expected: TABLE },
  { kind: 'a title behind a byte order mark', content: `\ufeffReport\n${lines()}`, expected: TABLE },
  { kind: 'lines that are said', content: `x,y,z\n${lines()}`, reading: { skip: 1 }, expected: TABLE },
  { kind: 'a footer', content: `${lines()}Total: 3\n`, expected: { ...TABLE, rejected: 1 } },
  { kind: 'comments that are said', content: 'id,name\n1,a\n# no\n2,b\n', reading: { comment: '#' }, expected: two('a', 'b') },
  { kind: 'values with #', content: 'id,name\n1,#fff\n2,a # b\n', expected: two('#fff', 'a # b') },
];

const RAGGED: readonly HostileFile[] = [
  {
    kind: 'a row too short',
    content: 'id,name\n1,a\n2\n3,c\n',
    expected: {
      columns: NAMES,
      rows: [
        ['1', 'a'],
        ['3', 'c'],
      ],
      rejected: 1,
    },
  },
  {
    kind: 'a row too long',
    content: 'id,name\n1,a\n2,b,c\n3,c\n',
    expected: {
      columns: NAMES,
      rows: [
        ['1', 'a'],
        ['3', 'c'],
      ],
      rejected: 1,
    },
  },
  { kind: 'two tables', content: `${lines()}\nx,y\n7,8\n`, expected: { ...TABLE, rejected: 2 } },
  {
    kind: 'a line of 9 MB',
    content: `id,name\n1,a\n2,${'x'.repeat(9 * 2 ** 20)}\n3,c\n`,
    expected: {
      columns: NAMES,
      rows: [
        ['1', 'a'],
        ['3', 'c'],
      ],
      rejected: 1,
    },
  },
];

/** By what of the layout they are hostile in. */
export const HOSTILE_TEXTS: HostileKinds = {
  delimiter: DELIMITERS,
  quote: QUOTES,
  escape: ESCAPES,
  'record end': RECORD_ENDS,
  header: HEADERS,
  preamble: PREAMBLES,
  'ragged rows': RAGGED,
};
