// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { languages } from './languages.ts';

/** Without indentation, which differs between a page and a program. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

test.each(languages)('the example on the page of $name is part of the program that is tested', async ({ source, page }) => {
  const [program, text] = await Promise.all([readFile(source, 'utf8'), readFile(page, 'utf8')]);
  const [, marked = ''] = /page: begin\n([\s\S]*?)\n.*page: end/.exec(program) ?? [];
  const [, example = ''] = /```\w+\n([\s\S]*?)\n```/.exec(text) ?? [];
  expect(linesOf(marked).length).toBeGreaterThan(10);
  // A block that the program goes on with is closed on the page.
  expect(linesOf(example).slice(0, linesOf(marked).length)).toEqual(linesOf(marked));
});
