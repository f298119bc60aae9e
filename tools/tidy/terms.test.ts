// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { checkTerms, type RetiredTerm } from './terms.ts';

const TERMS: readonly RetiredTerm[] = [
  { term: 'sweep', instead: 'quantized flat scan' },
  { term: 'way in', instead: 'request overhead' },
  { term: 'lit', instead: 'highlighted', only: ['clients/'], except: ['clients/lamp/'] },
];
const found = (text: string, path = 'vector/a.ts') => checkTerms([{ path, text }], TERMS).map(({ line, message }) => [line, message]);

test.each([
  'a sweep of rows',
  'Sweeps',
  'sweepRows()',
  'rowSweep',
  'SWEEP_ROWS',
  'row-sweep.ts',
  'the way in',
  'wayIn',
  'WAY_IN',
  'way-in',
  'a.WayIn',
])('finds the term in %j', (text) => {
  expect(found(`\n${text}`)).toEqual([[2, expect.stringContaining('the term is')]]);
});

test.each(['sweeping', 'sweeper', 'always in', 'highway inn', 'railways'])('leaves %j', (text) => {
  expect(found(text)).toEqual([]);
});

test('looks where a term is looked for', () => {
  expect(['clients/a.ts', 'vector/a.ts', 'clients/lamp/a.ts', 'clients/split.ts'].map((path) => found('lit', path).length)).toEqual([
    1, 0, 0, 1,
  ]);
  expect(found('split literal', 'clients/a.ts')).toEqual([]);
});
