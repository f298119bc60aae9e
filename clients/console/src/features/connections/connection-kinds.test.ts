// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { CONNECTION_KINDS, givenOf, isOffered, kindOf } from './connection-kinds.ts';

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

test.each([
  ['SPARK', { host: 'spark.example.com' }, 'SPARK'],
  ['SPARK', { cluster: 'DATAPROC', region: 'europe-west3' }, 'SPARK_DATAPROC'],
  ['SPARK', { cluster: 'EMR', region: 'eu-central-1' }, 'SPARK_EMR'],
  ['SPARK', { cluster: 'DATABRICKS', host: 'dbc-a1b2.cloud.databricks.com' }, 'SPARK_DATABRICKS'],
  ['S3', { bucket: 'orders', cluster: 'EMR' }, 'S3'],
  ['SNOWFLAKE', {}, undefined],
] as const)('a connection of type %s with %j has the form of %s', (type, payload, expected) => {
  expect(kindOf({ type, payload })).toBe(expected);
});
