// SPDX-License-Identifier: Apache-2.0
import type { Bm25Options } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import { bm25Document, bm25Query } from './bm25.ts';

/** mmh3.hash('foo') is -156908512, as the documentation of mmh3 has it. */
const FOO = 156_908_512;

describe('a text to be found', () => {
  test('has the hash of each token as index, without its sign', () => {
    expect(bm25Document('foo').indices).toEqual([FOO]);
  });

  test('weighs a token by how often it is there and how long the text is', () => {
    const [many] = bm25Document('foo foo foo the').values;
    // 3 (1.2 + 1) / (3 + 1.2 (1 - 0.75 + 0.75 * 3 / 256))
    expect(many).toBeCloseTo(6.6 / (3 + 1.2 * (0.25 + (0.75 * 3) / 256)), 6);
    const plain = bm25Document('foo foo foo bar', { k: 0 });
    expect(plain.values).toEqual([1, 1]);
    // 2 (2 + 1) / (2 + 2 * 0.5 + 2 * 0.5 * 2 / 2)
    expect(bm25Document('foo foo', { k: 2, b: 0.5, avg_len: 2 }).values).toEqual([1.5]);
  });

  test('without tokens is the empty vector', () => {
    expect(bm25Document('  The, and… ')).toEqual({ indices: [], values: [] });
  });
});

test('a text to search with counts each token once', () => {
  const query = bm25Query('bar foo bar');
  expect(query.values).toEqual([1, 1]);
  expect(query.indices).toEqual(bm25Document('foo bar').indices);
  expect(query.indices).toEqual([...query.indices].sort((a, b) => a - b));
});

describe('the same tokens whatever the form', () => {
  const same = (a: string, b: string, options: Bm25Options = {}) =>
    expect(bm25Query(a, options).indices).toEqual(bm25Query(b, options).indices);
  const apart = (a: string, b: string, options: Bm25Options = {}) =>
    expect(bm25Query(a, options).indices).not.toEqual(bm25Query(b, options).indices);

  test('English unless configured otherwise: lower case, stems, no stop words', () => {
    same('The Running of vectors', 'run vector');
    apart('die Katze', 'Katze');
  });
  test('the language says the stop words and the stems', () => {
    same('die Katzen', 'Katze', { language: 'german' });
    apart('The running', 'run', { language: 'none' });
  });
  test('what is given wins over the language', () => {
    apart('running', 'run', { stemmer: { type: 'none' } });
    same('die Katzen', 'Katze', { stopwords: 'german', stemmer: { type: 'snowball', language: 'german' } });
    same('foo the bar', 'the', { stopwords: { custom: ['foo', 'bar'] } });
    apart('Foo', 'foo', { lowercase: false });
    same('Ação', 'acao', { ascii_folding: true });
    same('a bb ccc', 'bb', { min_token_len: 2, max_token_len: 2, language: 'none' });
    same('foo-bar baz', 'baz foo-bar', { tokenizer: 'whitespace' });
  });
  test('a language that has only stop words, or only stems, is known', () => {
    same('i poi', 'poi', { language: 'slovene', min_token_len: 2 });
    expect(bm25Query('नेपाल', { language: 'nepali' }).indices).toHaveLength(1);
  });
});

test.each<[Bm25Options, RegExp]>([
  [{ language: 'klingon' }, /^options\.language: the language "klingon" is not supported/],
  [{ stopwords: 'klingon' }, /^options\.stopwords: no list for the language "klingon"; expected one of /],
  [
    { stemmer: { type: 'snowball', language: 'klingon' } },
    /^options\.stemmer\.language: no Snowball stemmer for "klingon"; expected one of /,
  ],
])('%j is refused', (options, reason) => {
  expect(() => bm25Query('foo', options)).toThrow(reason);
});
