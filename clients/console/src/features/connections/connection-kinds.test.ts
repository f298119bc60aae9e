// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { CONNECTION_KINDS, givenOf, isOffered } from './connection-kinds.ts';

test('what is empty or off is not sent, and texts lose the spaces around them', () => {
  const values = { bucket: ' orders ', region: '', path_style: false };
  expect(givenOf(CONNECTION_KINDS.S3.payload, values)).toEqual({ bucket: 'orders' });
});

test('a secret is sent as it was written', () => {
  const { fields } = CONNECTION_KINDS.POSTGRESQL.credential;
  expect(givenOf(fields, { username: 'ada', password: ' with spaces ' })).toEqual({ username: 'ada', password: ' with spaces ' });
});

test.each([
  ['S3', true],
  ['UPLOAD', false],
  ['SNOWFLAKE', false],
  ['toString', false],
])('%s is offered: %s', (kind, expected) => {
  expect(isOffered(kind)).toBe(expected);
});
