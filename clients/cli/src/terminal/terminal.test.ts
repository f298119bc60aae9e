// SPDX-License-Identifier: Apache-2.0
import { manualClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { count, duration, milliseconds } from './figures.ts';
import { printable } from './printable.ts';
import { createProgress } from './progress.ts';
import { tableLines } from './table.ts';

test('a table has columns as wide as their cells, numbers to the right, and dashes for nothing', () => {
  const lines = tableLines(
    [{ title: 'name' }, { title: 'points', align: 'right' }],
    [
      ['a', 5],
      ['longer', 12_345n],
      ['', null],
    ],
  );
  expect(lines).toEqual(['NAME    POINTS', 'a            5', 'longer   12345', '-            -']);
});

test('a terminal that is too narrow cuts the widest texts', () => {
  const [, line = ''] = tableLines([{ title: 'id' }, { title: 'text' }], [['7', 'x'.repeat(80)]], 40);
  expect(line).toHaveLength(40);
  expect(line.endsWith('…')).toBe(true);
});

test('what comes from a service cannot command the terminal', () => {
  expect(printable('a\u001b[2Jb\u0007\u202e\r')).toBe('a\\u001b[2Jb\\u0007\\u202e\\u000d');
  expect(tableLines([{ title: 'x' }], [['one\ntwo\u001b]0;title\u0007']])[1]).toBe('one two\\u001b]0;title\\u0007');
});

function stream(isTTY: boolean) {
  const written: string[] = [];
  return { written, isTTY, columns: 60, write: (text: string) => written.push(text) };
}

test('progress redraws one line of a terminal, ten times a second at most', () => {
  const clock = manualClock();
  const output = stream(true);
  const progress = createProgress(output, clock, { label: 'digits', unit: 'rows' });
  progress.show({ done: 0, share: 0 });
  progress.show({ done: 1, share: 0.1 });
  clock.advance(1000);
  progress.show({ done: 500, share: 0.5 });
  progress.show({ done: 1000, share: 1 });
  progress.end();
  expect(output.written).toHaveLength(4);
  expect(output.written[1]).toContain('50% digits 500 rows, 500/s');
  expect(output.written.every((text) => text.replace('\r\u001b[K', '').length < 60)).toBe(true);
});

test('a log gets a line now and then, and short work none', () => {
  const clock = manualClock();
  const output = stream(false);
  const progress = createProgress(output, clock, { label: 'digits', unit: 'rows', from: 100 });
  progress.show({ done: 200, share: undefined });
  clock.advance(10_000);
  progress.show({ done: 1100, share: 0.5 });
  progress.show({ done: 1200, share: 0.6 });
  progress.end();
  expect(output.written).toEqual(['50% digits 1,100 rows, 100/s, 10 s left\n']);
});

test('figures', () => {
  expect([count(1_234_567), count(5n)]).toEqual(['1,234,567', '5']);
  expect([0.84, 42, 200, 7500].map(duration)).toEqual(['0.8 s', '42 s', '3 min 20 s', '2 h 5 min']);
  expect([0.4211, 12.34, 456.7].map(milliseconds)).toEqual(['0.42', '12.3', '457']);
});
