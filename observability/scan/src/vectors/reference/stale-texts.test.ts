// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { staleTexts, type WrittenText } from './stale-texts.ts';

const red: WrittenText = { key: 1, text: 'A red fox', vector: Float32Array.of(1, 2) };
const blue: WrittenText = { key: 2, text: 'A blue whale', vector: Float32Array.of(3, 4) };
const first = staleTexts('text', [red, blue], undefined);

test('nothing is known at first', () => {
  expect(first).toMatchObject({ stale: new Set(), known: 0 });
});

test.each<[string, WrittenText, readonly number[]]>([
  ['a text that is the same', red, []],
  ['a text of other spaces, case and punctuation', { ...red, text: 'a  RED fox!' }, []],
  ['another text', { ...red, text: 'A green frog' }, [1]],
  ['another text with a vector of its own', { ...red, text: 'A green frog', vector: Float32Array.of(5, 6) }, []],
  ['another vector', { ...red, vector: Float32Array.of(5, 6) }, []],
])('%s', (_, now, stale) => {
  expect(staleTexts('text', [now, blue], first.stored)).toMatchObject({ stale: new Set(stale), known: 2 });
});

test('a text stays stale until its vector changes or it comes back', () => {
  const changed = { ...red, text: 'A green frog' };
  const second = staleTexts('text', [changed, blue], first.stored);
  expect(staleTexts('text', [changed, blue], second.stored).stale).toEqual(new Set([1]));
  expect(staleTexts('text', [red, blue], second.stored).stale).toEqual(new Set());
  const embedded = staleTexts('text', [{ ...changed, vector: Float32Array.of(7, 8) }, blue], second.stored);
  expect(embedded.stale).toEqual(new Set());
  expect(staleTexts('text', [{ ...red, vector: Float32Array.of(7, 8) }, blue], embedded.stored).stale).toEqual(new Set([1]));
});

test('texts of another member are not compared', () => {
  expect(staleTexts('title', [{ ...red, text: 'Foxes' }], first.stored)).toMatchObject({ stale: new Set(), known: 0 });
});
