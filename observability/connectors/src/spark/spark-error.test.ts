// SPDX-License-Identifier: Apache-2.0
import { status } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { failureOf } from './spark-error.ts';

function said(code: number, details: string): string {
  return failureOf(Object.assign(new Error(`${code} ${details}`), { code, details }), 'spark.example.com:15002').message;
}

test.each([
  [
    '[DIVIDE_BY_ZERO] Division by zero. Use `try_divide` to tolerate divisor being 0 and return NULL instead. If necessary set "spark.sql.ansi.enabled" to "false" to bypass this error. SQLSTATE: 22012\n== SQL (line 1, position 8) ==\nselect 1/0',
    'Division by zero',
  ],
  [
    '[CAST_INVALID_INPUT] The value \'abc\' of the type "STRING" cannot be cast to "INT" because it is malformed. Correct the value as per the syntax, or change its target type. SQLSTATE: 22018',
    'The value \'abc\' of the type "STRING" cannot be cast to "INT" because it is malformed',
  ],
  ['[PATH_NOT_FOUND] Path does not exist: file:/data/none. SQLSTATE: 42K03', 'Path does not exist: file:/data/none'],
  ['java.io.IOException: disk is full', 'disk is full'],
  // As Delta's parser says it.
  [
    "\n[PARSE_SYNTAX_ERROR] Syntax error at or near 'HISTORY'. SQLSTATE: 42601 (line 1, pos 9)",
    "Syntax error at or near 'HISTORY'. SQLSTATE: 42601 (line 1, pos 9)",
  ],
])('%s', (details, sentence) => {
  expect(said(status.INTERNAL, details)).toBe(sentence);
});

test.each([
  [status.UNAVAILABLE, 'Spark at spark.example.com:15002 cannot be reached'],
  [status.UNAUTHENTICATED, 'Spark at spark.example.com:15002 refused the token'],
  [status.UNIMPLEMENTED, 'spark.example.com:15002 does not speak Spark Connect'],
  [status.DEADLINE_EXCEEDED, 'Spark at spark.example.com:15002 did not answer in time'],
])('of the connection: %i', (code, sentence) => {
  expect(said(code, 'whatever the library says')).toBe(sentence);
});

test('the class is kept for programs', () => {
  const failure = failureOf(
    Object.assign(new Error('x'), { code: 13, details: '[TABLE_OR_VIEW_NOT_FOUND] The table cannot be found' }),
    'a:1',
  );
  expect(failure.errorClass).toBe('TABLE_OR_VIEW_NOT_FOUND');
});
