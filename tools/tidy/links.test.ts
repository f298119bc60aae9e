// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { checkIndexed, checkLinks } from './links.ts';

const FILES = ['README.md', 'docs/limits.md', 'docs/images/map.webp', 'docs/images', 'docs/a page.md', 'vector/kernel/SPEC.md'];
const LIMITS = `# What happens at the limits

## \`ef\` and \`m\`

## Searching by *example*!

## [Read](../README.md) on

## Read on

\`\`\`sh
## no heading
\`\`\`
`;

/** The findings of a page of docs/ with this text. */
function findings(text: string) {
  const pages = [
    { path: 'docs/vectors.md', text },
    { path: 'docs/limits.md', text: LIMITS },
  ];
  return checkLinks(pages, (path) => path === 'docs/vectors.md' || FILES.includes(path));
}

describe('fine', () => {
  test.each([
    '[limits](limits.md)',
    '[limits](./limits.md "what happens")',
    '[limits](<limits.md>)',
    '[readme](../README.md)',
    '[a rule](../vector/kernel/SPEC.md)',
    '[images](images)',
    '[a space](a%20page.md)',
    '![map](images/map.webp)',
    '[![map](images/map.webp)](limits.md)',
    '<img src="images/map.webp" alt="">',
    '<source srcset="images/map.webp">',
    '[limits]: limits.md',
    '[another site](https://example.com/none.md)',
    '<a href="mailto:nobody@example.com">write</a>',
    '[top](#vectors)\n\n# Vectors',
    '[what](limits.md#what-happens-at-the-limits)',
    '[ef](limits.md#ef-and-m)',
    '[by example](limits.md#searching-by-example)',
    '[read](limits.md#read-on)',
    '[the second of the name](limits.md#read-on-1)',
    'code is no link: `[a](none.md)`, ``[`](none.md)``',
    '```md\n[a](none.md)\n```',
    '  ~~~\n[a](none.md)\n  ~~~',
  ])('%s', (text) => {
    expect(findings(text)).toEqual([]);
  });
});

describe('broken', () => {
  test.each([
    ['[a](none.md)', 'there is no docs/none.md'],
    ['![a](images/none.webp)', 'there is no docs/images/none.webp'],
    ['<img src="none.webp">', 'there is no docs/none.webp'],
    ['[none]: none.md', 'there is no docs/none.md'],
    ['[![map](images/map.webp)](none.md)', 'there is no docs/none.md'],
    ['[a](../../elsewhere.md)', 'there is no ../elsewhere.md'],
    ['[a](/docs/limits.md)', 'write the path from this page'],
    ['[a](limits.md#nowhere)', 'docs/limits.md has no heading for #nowhere'],
    ['[a](limits.md#no-heading)', 'docs/limits.md has no heading for #no-heading'],
    ['[a](limits.md#read-on-2)', 'docs/limits.md has no heading for #read-on-2'],
    ['[a](#nowhere)', 'docs/vectors.md has no heading for #nowhere'],
    ['[a](images/map.webp#L1)', 'docs/images/map.webp is no page with headings'],
    ['a lone ` here\n\n[a](none.md)\n\nand ` there', 'there is no docs/none.md'],
    ['`code` and [a](none.md) and `code`', 'there is no docs/none.md'],
    ['```\ncode\n```\n[a](none.md)\n```\ncode\n```', 'there is no docs/none.md'],
  ])('%s', (text, message) => {
    expect(findings(text)).toMatchObject([{ path: 'docs/vectors.md', message: expect.stringContaining(message) }]);
  });

  test('a finding says its line, behind code as well', () => {
    expect(findings('# A\n\n```\ncode\n```\n\n[a](none.md)\n')).toMatchObject([{ line: 7 }]);
  });
});

test('a page of docs/ that the index does not link is found', () => {
  const pages = [
    { path: 'docs/README.md', text: '[limits](reference/limits.md#full-disk) and `[vectors](concepts/vectors.md)`' },
    { path: 'docs/reference/limits.md', text: '' },
    { path: 'docs/concepts/vectors.md', text: '' },
    { path: 'vector/kernel/SPEC.md', text: '' },
  ];
  expect(checkIndexed(pages)).toMatchObject([{ path: 'docs/concepts/vectors.md' }]);
});
