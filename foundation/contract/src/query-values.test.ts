// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createSchemaWriter } from './openapi-schemas.ts';
import { queryFlag, queryInteger } from './query-values.ts';
import { fits } from './validate.ts';

const timeout = queryInteger({ minimum: 1, maximum: 999 });
const offset = queryInteger({ minimum: 0, maximum: 99 });

test.each([
  [timeout, ['1', '10', '999'], ['0', '1000', '01', '-1', '1.5', '', ' 1', 'ten']],
  [offset, ['0', '9', '99'], ['100', '00', '-0']],
  [queryFlag, ['true', 'false'], ['True', '1', '', 'yes']],
])('text is taken where it stands for a value: case %#', (schema, taken, refused) => {
  for (const text of taken) expect(fits(schema, text)).toBe(true);
  for (const text of refused) expect(fits(schema, text)).toBe(false);
});

test('the document names the type that the text stands for', () => {
  const writer = createSchemaWriter();
  expect(writer.write(timeout)).toEqual({ type: 'integer', format: 'int32', minimum: 1, maximum: 999 });
  expect(writer.write(queryFlag)).toEqual({ type: 'boolean' });
});
