// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { statusLine } from './status-line.ts';

function written(isTTY: boolean): string[] {
  const texts: string[] = [];
  const line = statusLine({ isTTY, columns: 20, write: (text) => texts.push(text) });
  line.show('movies: reading');
  line.show('movies: reading', '10 rows');
  line.show('movies: reading', '10 rows');
  line.show('movies: measuring', 'a detail that does not fit');
  line.clear();
  return texts;
}

test('a terminal sees one line that changes and goes away', () => {
  expect(written(true).join('')).toBe('\r\x1b[Kmovies: reading\r\x1b[Kmovies: reading 10 \r\x1b[Kmovies: measuring a\r\x1b[K');
});

test('a log sees a line for each step', () => {
  expect(written(false)).toEqual(['movies: reading\n', 'movies: measuring\n']);
});
