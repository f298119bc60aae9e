// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { observabilityErrors, vectorErrors } from './error-codes.generated.ts';
import { type ErrorRow, errorCode, fieldOf } from './error-codes.ts';

/** A sentence of a row, its holes filled. */
function said({ sentence }: ErrorRow): string {
  return sentence.replaceAll(/\{\w+\}/g, '42');
}

describe.each<[string, readonly ErrorRow[]]>([
  ['vector', vectorErrors],
  ['observability', observabilityErrors],
])('the catalogue of the %s service', (_name, rows) => {
  // Of rows that say the same, the first is meant.
  const distinct = rows.filter((row) => rows.find(({ status, sentence }) => status === row.status && sentence === row.sentence) === row);
  test.each(distinct.map((row) => [row.code, row] as const))('%s follows from its sentence', (code, row) => {
    expect(errorCode(rows, row.status, said(row))).toBe(code);
  });
});

test('a sentence that no service says has the code of its status', () => {
  expect(errorCode(vectorErrors, 502, 'Bad Gateway')).toBe('http_502');
  expect(errorCode(vectorErrors, 404, 'Engine not initialized')).toBe('http_404');
});

test.each([
  ['limit: expected an integer, got "many"', 'limit'],
  ['points[3].vector: expected an array of numbers', 'points[3].vector'],
  ['points[0]: required member `id` is missing', 'points[0].id'],
  ['body: required member `vector` is missing', 'vector'],
  ['payload.region is not the name of a region', 'payload.region'],
  ['credential.payload.private_key is not a private key in PEM', 'credential.payload.private_key'],
  ['payload: expected an object', 'payload'],
  ['payload is not read by this kind of connection', undefined],
  ['db.example.com cannot be found', undefined],
  ['Collection not found: x', undefined],
  ['vectors_config is required', undefined],
])('%s speaks of %s', (sentence, field) => {
  expect(fieldOf(sentence)).toBe(field);
});
