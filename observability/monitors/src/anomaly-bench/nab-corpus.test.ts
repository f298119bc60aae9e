// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { runDetector } from './comparison.ts';
import { frozenFigures } from './frozen.ts';
import { parseSeries } from './nab-corpus.ts';
import { productDetector } from './product-detector.ts';

const START_MS = Date.UTC(2026, 0, 5);

function seriesOf(rows: readonly string[], windows: readonly (readonly [string, string])[] = []) {
  return parseSeries('a/b.csv', ['timestamp,value', ...rows].join('\n'), windows);
}

test.each([
  ['local times', '2026-01-05 00:00:00'],
  ['fractions of seconds', '2026-01-05 00:00:00.000000'],
  ['minutes', '2026-01-05 00:00'],
  ['days', '2026-01-05'],
  ['zones', '2026-01-05T01:00:00+01:00'],
  ['quotes', '"2026-01-05 00:00:00"'],
  ['seconds since 1970', String(START_MS / 1000)],
  ['milliseconds since 1970', String(START_MS)],
])('reads times in the form of %s', (_, time) => {
  expect([...seriesOf([`${time},1`]).timesMs]).toEqual([START_MS]);
});

test('lines may end as on Windows, and have more columns', () => {
  expect([...parseSeries('a/b.csv', 'timestamp,value,label\r\n2026-01-05 00:00:00,7,x\r\n', []).values]).toEqual([7]);
});

test.each(['', 'NaN', 'inf', '1e999', 'none'])('"%s" is a missing value', (value) => {
  expect(seriesOf([`2026-01-05 00:00:00,${value}`]).values[0]).toBeNaN();
});

test('rows are scans, one after another', () => {
  const times = ['2026-01-05 00:00:00', '2026-01-05 00:00:00', 'garbage', '2026-01-04 00:00:00', '2026-01-05 01:00:00'];
  expect([...seriesOf(times.map((time) => `${time},1`)).timesMs].map((time) => time - START_MS)).toEqual([0, 1, 2, 3, 3_600_000]);
});

test('a window without rows is none', () => {
  const rows = ['2026-01-05 00:00:00,1', '2026-01-05 01:00:00,1'];
  const windows = [
    ['2026-01-05 01:00:00', '2026-01-05 02:00:00'],
    ['2027-01-01 00:00:00', '2027-01-02 00:00:00'],
    ['?', '?'],
  ] as const;
  expect(seriesOf(rows, windows).windows).toEqual([{ first: 1, last: 1 }]);
});

test.each([
  ['no rows', []],
  ['one row', ['2026-01-05 00:00:00,1']],
  ['nothing but missing values', Array.from({ length: 60 }, (_, minute) => `${START_MS + 60_000 * minute},`)],
  ['the same at all times', Array.from({ length: 60 }, (_, minute) => `${START_MS + 60_000 * minute},5`)],
  [
    'numbers beyond all measure',
    Array.from({ length: 60 }, (_, minute) => `${START_MS + 60_000 * minute},${[1e308, -1e308, 0, 5e-324][minute % 4]}`),
  ],
])('%s are judged like anything else', (_, rows) => {
  const { files, standard } = frozenFigures(runDetector(productDetector, [seriesOf(rows)]));
  expect(files).toEqual([{ file: 'a/b.csv', windows: 0, found: 0, falseAlarms: 0 }]);
  expect(standard).toBeNull();
});
