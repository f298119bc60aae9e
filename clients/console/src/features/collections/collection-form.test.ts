// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createRequest, EMPTY_FORM, problemsOf, USUAL_VECTOR } from './collection-form.ts';

test('one vector without a name is the usual collection', () => {
  expect(createRequest({ ...EMPTY_FORM, name: 'places' })).toEqual({ vectors: { size: 384, distance: 'Cosine' } });
});

test('named vectors, several per point, sparse ones, and what the graph is to be', () => {
  const form = {
    ...EMPTY_FORM,
    name: 'articles',
    vectors: [
      { ...USUAL_VECTOR, name: 'text', isOnDisk: true },
      { ...USUAL_VECTOR, name: 'tokens', kind: 'multi' as const, size: 128 },
      { ...USUAL_VECTOR, name: 'words', kind: 'sparse' as const },
    ],
    quantization: 'scalar' as const,
    m: 32,
  };
  expect(problemsOf(form)).toBeUndefined();
  expect(createRequest(form)).toEqual({
    vectors: {
      text: { size: 384, distance: 'Cosine', on_disk: true },
      tokens: { size: 128, distance: 'Cosine', multivector_config: { comparator: 'max_sim' } },
    },
    sparse_vectors: { words: {} },
    hnsw_config: { m: 32 },
    quantization_config: { scalar: { type: 'int8' } },
  });
});

test('an unnamed vector may stand beside sparse ones', () => {
  const vectors = [USUAL_VECTOR, { ...USUAL_VECTOR, kind: 'sparse' as const, name: 'words' }];
  expect(problemsOf({ ...EMPTY_FORM, name: 'a', vectors })).toBeUndefined();
});

test.each([
  [{ name: ' ' }, { name: 'A collection needs a name.', vectors: [{}] }],
  [{ vectors: [{ ...USUAL_VECTOR, size: '' }] }, { vectors: [{ size: 'From 1 to 65536.' }] }],
  [{ vectors: [{ ...USUAL_VECTOR, size: 0.5 }] }, { vectors: [{ size: 'From 1 to 65536.' }] }],
  [
    { vectors: [USUAL_VECTOR, { ...USUAL_VECTOR, name: 'b' }] },
    { vectors: [{ name: 'If there are several vectors, each needs a name.' }, {}] },
  ],
  [
    { vectors: [{ ...USUAL_VECTOR, kind: 'sparse' as const }] },
    { vectors: [{ name: 'If there are several vectors, each needs a name.' }] },
  ],
  [
    {
      vectors: [
        { ...USUAL_VECTOR, name: 'a' },
        { ...USUAL_VECTOR, name: 'a ' },
      ],
    },
    { vectors: [{ name: 'Another vector has this name.' }, { name: 'Another vector has this name.' }] },
  ],
])('%j is shown at its field', (part, expected) => {
  expect(problemsOf({ ...EMPTY_FORM, name: 'places', ...part })).toEqual(expected);
});
