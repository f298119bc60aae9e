// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { stepTo, withMember } from './text-members.ts';

test('a member is set of one vector, and an emptied field leaves it to the scans', () => {
  const values = { '': 'body', title: 'headline' };
  expect(withMember(values, '', 'text')).toEqual({ '': 'text', title: 'headline' });
  expect(withMember(values, '', '')).toEqual({ title: 'headline' });
  expect(withMember({}, '', 'body')).toEqual({ '': 'body' });
});

test.each([
  ['title', 'title'],
  ['', '""'],
  ['title of all', '"title of all"'],
])('the vector "%s" is named %s in refusals', (vector, step) => {
  expect(stepTo(vector)).toBe(step);
});
