// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { composePage, PAGE } from './page.ts';

test('the page says what the kept figures say', async () => {
  expect(await readFile(PAGE, 'utf8')).toBe(await composePage());
});
