// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { examplesFor, quotedIn } from './expression-examples.ts';

const NAMED = { name: 'name', data_type: 'STRING' } as const;
const PRICE = { name: 'the "price"', data_type: 'DECIMAL' } as const;

test('an example is about an attribute that it fits', () => {
  const [first] = examplesFor('metric', [NAMED, PRICE]);
  expect(first).toMatchObject({ label: 'A sum', text: 'sum(`the "price"`)' });
});

test('without such an attribute there is no example', () => {
  expect(examplesFor('metric', [NAMED]).map(({ label }) => label)).toEqual(['Distinct values in percent']);
});

test('all are offered where the attributes are not known', () => {
  const texts = (['rule', 'metric', 'sql'] as const).flatMap((kind) => examplesFor(kind, []).map(({ text }) => text));
  expect(texts).toHaveLength(14);
  expect(texts.filter((text) => text.includes('{'))).toEqual([]);
});

test('SQL quotes a name as SQL does', () => {
  expect(examplesFor('sql', [PRICE]).at(1)?.text).toBe('SELECT count(DISTINCT "the ""price""") FROM asset');
  expect(quotedIn('rule', 'a`b')).toBe('`a``b`');
});
