// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { sharedValue } from './shared-values.ts';

const LANGUAGES = ['en', 'de', 'fr'];
const all = Array.from({ length: 900 }, (_, id) => ({
  payload: { language: LANGUAGES[id % 3], title: `t${id}`, isNew: true, tags: ['a'] },
}));
const german = all.filter(({ payload: { language } }) => language === 'de');

test('a value that most points at fault have is named, with how many of all have it', () => {
  expect(sharedValue([...german.slice(0, 18), ...all.slice(0, 2)], all)).toBe('19 of 20 of them have language = "de", as 33 % of all do');
});

test.each([
  ['points like all others', all.slice(0, 21)],
  ['two points, which say nothing', german.slice(0, 2)],
  ['no point', []],
])('%s share nothing', (_, points) => {
  expect(sharedValue(points, all)).toBeUndefined();
});

test('neither a value that all have nor one of a member with a value for each point is shared', () => {
  const same = Array.from({ length: 12 }, () => ({ payload: { title: 't7', isNew: true } }));
  expect(sharedValue(same, all)).toBeUndefined();
});

test('personal data in the value is masked', () => {
  const owned = all.map(({ payload }, id) => ({ payload: { ...payload, owner: id < 40 ? 'ada@example.org' : 'nobody' } }));
  expect(sharedValue(owned.slice(0, 20), owned)).not.toContain('ada@example.org');
  expect(sharedValue(owned.slice(0, 20), owned)).toContain('20 of 20 of them have owner = ');
});
