// SPDX-License-Identifier: Apache-2.0
import type { FieldSchema } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import { textAnalyzer } from './text-analyzer.ts';

const words = (schema: Partial<FieldSchema>, text: string) => textAnalyzer({ type: 'text', ...schema }).words(text);

describe('tokens of a text', () => {
  test.each<[string, Partial<FieldSchema>, string, string[]]>([
    ['words by default', {}, 'The Quick, brown-fox’s 2 cafés!', ['the', 'quick', 'brown', 'fox', 's', '2', 'cafés']],
    ['composed and decomposed letters alike', {}, 'cafe\u0301', ['café']],
    ['words of other scripts', {}, 'Привет, мир — γειά σου', ['привет', 'мир', 'γειά', 'σου']],
    ['vowel signs stay in their word', {}, 'हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['nothing of punctuation', {}, '... 😀 —', []],
    ['whitespace', { tokenizer: 'whitespace' }, ' A-b\tc,  D ', ['a-b', 'c,', 'd']],
    ['multilingual', { tokenizer: 'multilingual' }, '私は東京が好き', ['私', 'は', '東京', 'が', '好き']],
    ['case kept', { lowercase: false }, 'Red CAR', ['Red', 'CAR']],
    ['ascii folding', { ascii_folding: true }, 'Crème Brûlée Straße Øre', ['creme', 'brulee', 'strasse', 'ore']],
    ['lengths in characters', { min_token_len: 2, max_token_len: 4 }, 'a bb cccc ddddd éé', ['bb', 'cccc', 'éé']],
    ['stop words of a language', { stopwords: 'english' }, 'The cat and THE dog', ['cat', 'dog']],
    [
      'stop words of several and own',
      { stopwords: { languages: ['german', 'French'], custom: ['Katze'] } },
      'die Katze et le chien',
      ['chien'],
    ],
    ['stemming', { stemmer: { type: 'snowball', language: 'english' } }, 'running vectors generously', ['run', 'vector', 'generous']],
    ['stemming in German', { stemmer: { type: 'snowball', language: 'German' } }, 'Häuser aufeinander', ['haus', 'aufeinand']],
    ['stop words before stemming', { stopwords: 'english', stemmer: { type: 'snowball', language: 'english' } }, 'having runs', ['run']],
  ])('%s', (_title, schema, text, expected) => {
    expect(words(schema, text)).toEqual(expected);
  });

  test('a field without a text index has the defaults', () => {
    expect(textAnalyzer(undefined).words('Red, CAR')).toEqual(['red', 'car']);
    expect(textAnalyzer({ type: 'keyword' }).words('Red, CAR')).toEqual(['red', 'car']);
  });

  test('the prefix tokenizer answers queries by the start of words', () => {
    const { words, queryWords, answers } = textAnalyzer({ type: 'text', tokenizer: 'prefix', min_token_len: 2, max_token_len: 4 });
    expect(queryWords('a Vec vectors')).toEqual(['vec', 'vect']);
    expect(words('Vectors').some((word) => answers(word, 'vect'))).toBe(true);
    expect(words('Vectors').some((word) => answers(word, 'ectors'))).toBe(false);
  });
});

describe('unknown languages are refused with the known ones', () => {
  test.each<[Partial<FieldSchema>, string]>([
    [{ stopwords: 'klingon' }, 'field_schema.stopwords: no list for the language "klingon"; expected one of arabic,'],
    [{ stopwords: { languages: ['english', '__proto__'] } }, 'no list for the language "__proto__"'],
    [
      { stemmer: { type: 'snowball', language: 'klingon' } },
      'field_schema.stemmer.language: no Snowball stemmer for "klingon"; expected one of arabic,',
    ],
  ])('%j', (schema, message) => {
    expect(() => words(schema, 'x')).toThrow(message);
  });
});
