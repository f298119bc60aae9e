import { expect, test } from 'vitest';
import { writtenValues } from './variable-values.ts';

test.each([
  ['LIST', ['a', '7', ''], [7], ['a', 7]],
  ['LIST', ['7'], ['7'], ['7']],
  ['LIST', ['07'], [7], ['07']],
  ['RANGE', ['1'], [1, 2], [1, '']],
  ['RANGE', [3, 4, 5], [], [3, 4]],
  ['CONSTANT', ['2.5', 'x'], [2.5], [2.5]],
  ['REFERENCE', [], ['a'], ['']],
] as const)('%s written as %j, which was %j', (type, written, before, values) => {
  expect(writtenValues(type, written, before)).toEqual(values);
});
