// SPDX-License-Identifier: Apache-2.0
import type { FieldSchema } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import { fieldNameOf, normaliseFieldSchema } from './schema.ts';

describe('a field schema is completed', () => {
  test.each<[FieldSchema, FieldSchema]>([
    [{ type: 'keyword' }, { type: 'keyword' }],
    [
      { type: 'keyword', is_tenant: true, prefix: null, on_disk: null },
      { type: 'keyword', is_tenant: true },
    ],
    [{ type: 'integer' }, { type: 'integer', lookup: true, range: true }],
    [
      { type: 'integer', range: false },
      { type: 'integer', lookup: true, range: false },
    ],
    [
      { type: 'float', is_principal: true, on_disk: true },
      { type: 'float', is_principal: true, on_disk: true },
    ],
    [{ type: 'text' }, { type: 'text', tokenizer: 'word', lowercase: true }],
    [
      { type: 'text', tokenizer: null, lowercase: false },
      { type: 'text', tokenizer: 'word', lowercase: false },
    ],
    [
      { type: 'geo', enable_hnsw: false },
      { type: 'geo', enable_hnsw: false },
    ],
  ])('%j', (schema, complete) => {
    expect(normaliseFieldSchema(schema)).toStrictEqual(complete);
  });

  test.each<[FieldSchema, string]>([
    [{ type: 'number' as 'float' }, 'field_schema.type: "number" is not one of keyword, integer'],
    [{ type: 'constructor' as 'float' }, 'field_schema.type: "constructor" is not one of'],
    [
      { type: 'keyword', tokenizer: 'word' },
      'field_schema.tokenizer: is not an option of a keyword index; expected one of is_tenant, prefix, on_disk, memory, enable_hnsw',
    ],
    [{ type: 'bool', lookup: true }, 'field_schema.lookup: is not an option of a bool index'],
    [{ type: 'float', range: false }, 'field_schema.range: is not an option of a float index'],
    [{ type: 'integer', lookup: false, range: false }, 'field_schema.lookup: an integer index needs lookup or range'],
    [
      { type: 'text', tokenizer: 'words' as 'word' },
      'field_schema.tokenizer: "words" is not one of prefix, whitespace, word, multilingual',
    ],
    [{ type: 'text', min_token_len: -1 }, 'field_schema.min_token_len: expected an integer of at least 0, got -1'],
    [{ type: 'text', max_token_len: 0 }, 'field_schema.max_token_len: expected an integer of at least 1, got 0'],
    [{ type: 'text', min_token_len: 5, max_token_len: 4 }, 'field_schema.min_token_len: 5 is above max_token_len 4'],
    [{ type: 'text', stopwords: 'klingon' }, 'field_schema.stopwords: no list for the language "klingon"'],
    [{ type: 'text', stemmer: { type: 'snowball', language: 'x' } }, 'field_schema.stemmer.language: no Snowball stemmer for "x"'],
    [
      { type: 'text', stemmer: { type: 'porter' as 'snowball', language: 'english' } },
      'field_schema.stemmer.type: only "snowball" is supported',
    ],
  ])('%j is refused', (schema, message) => {
    expect(() => normaliseFieldSchema(schema)).toThrow(message);
  });
});

test('a field has one name however it is spelled', () => {
  expect(fieldNameOf('"a".b[]."c d"')).toBe('a.b[].c d');
  expect(() => fieldNameOf('a..b')).toThrow('field_name: expected a key at position 2');
});
