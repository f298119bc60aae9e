// SPDX-License-Identifier: Apache-2.0
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { columnsOfView } from './columns-of-view.ts';

test('a view is parsed in a process of its own, and one that is no SELECT or too long tells nothing', async () => {
  await using directory = await temporaryDirectory();
  const columnsOf = (sql: string) => columnsOfView(sql, { temporaryDirectory: directory.path, signal: new AbortController().signal });
  expect(await columnsOf('SELECT t.a, count(*) AS n FROM s.t GROUP BY t.a;')).toEqual([
    [{ schema: 's', table: 't', column: 'a' }],
    undefined,
  ]);
  expect(await columnsOf('DROP TABLE asset')).toBeUndefined();
  expect(await columnsOf(`SELECT ${'a, '.repeat(50_000)} a FROM s.t`)).toBeUndefined();
});
