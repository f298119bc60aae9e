// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { requireFollowable } from './asset-options.ts';

test('a light scan of a vector collection is refused, for there is none', () => {
  expect(() => requireFollowable({ type: 'VECTOR_COLLECTION', payload: {}, options: { only_light_scan: 'true' } }, undefined)).toThrow(
    'options.only_light_scan: light scans are not available for vector collections; leave the option out',
  );
  expect(() =>
    requireFollowable({ type: 'VECTOR_COLLECTION', payload: {}, options: { only_light_scan: 'false', limit: 5 } }, undefined),
  ).not.toThrow();
  expect(() => requireFollowable({ type: 'UPLOAD', payload: {}, options: { only_light_scan: 'true' } }, undefined)).not.toThrow();
});

test.each([
  ['title', 'title'],
  ['', '""'],
  ['title of all', '"title of all"'],
])('a text that is refused of the vector "%s" is refused at its member', (vector, member) => {
  const columns = [{ name: 'body', data_type: 'STRING' }] as const;
  expect(() =>
    requireFollowable({ type: 'VECTOR_COLLECTION', payload: {}, options: { text_members: { [vector]: 'bodi' } } }, columns),
  ).toThrow(`options.text_members.${member}: bodi is not a payload member`);
});

test.each([
  ['bodi', 'bodi is not a payload member; did you mean body?'],
  ['year', 'year holds no text; it is of type INTEGER'],
])('the text of vectors cannot be %s', (member, reason) => {
  const columns = [
    { name: 'body', data_type: 'STRING' },
    { name: 'year', data_type: 'INTEGER' },
  ] as const;
  const follow = (text: string) =>
    requireFollowable({ type: 'VECTOR_COLLECTION', payload: {}, options: { text_members: { title: text } } }, columns);
  expect(() => follow(member)).toThrow(`options.text_members.title: ${reason}`);
  expect(() => follow('body')).not.toThrow();
});
