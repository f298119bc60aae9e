// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { failuresOf, orOmitted, reasonOf } from './failure.ts';

test.each([
  ['the statement of the engine', 'Binder Error: no column a\n\nLINE 1: SELECT secret FROM asset', 'Binder Error: no column a'],
  ['line ends and spaces', ' first\n\t second  third ', 'first second third'],
  ['a mail address', "Could not convert string 'ann@example.com' to INT32", "Could not convert string '***@*******.***' to INT32"],
  ['two of them', 'ann@example.com is not bo@example.org', '***@*******.*** is not **@*******.***'],
])('a reason is one line without personal data: %s', (_, message, reason) => {
  expect(reasonOf(new Error(message))).toBe(reason);
});

test('a reason is what was thrown, whatever that is', () => {
  expect(reasonOf('the disk is full')).toBe('the disk is full');
});

test('a reason has at most 500 characters, and says where it was cut', () => {
  expect(reasonOf(new Error('x'.repeat(500)))).toBe('x'.repeat(500));
  expect(reasonOf(new Error('x'.repeat(501)))).toBe(`${'x'.repeat(499)}…`);
  // No half of a pair is left over.
  const cut = reasonOf(new Error(`${'x'.repeat(498)}${'🙂'.repeat(10)}`));
  expect(cut).toHaveLength(500);
  expect(cut.isWellFormed()).toBe(true);
});

test('a mail address is masked before the reason is cut, so that no part of it stays', () => {
  const reason = reasonOf(new Error(`${'x'.repeat(485)} ann.example@example.com is no number`));
  expect(reason).toHaveLength(500);
  expect(reason).not.toMatch(/ann|example/);
});

test('what fails is a failure of its monitor, or an omission, and never an exception', async () => {
  const fails = () => Promise.reject(new Error('a is gone'));
  expect(await failuresOf('7', fails)).toEqual([{ monitor_id: '7', reason: 'a is gone' }]);
  expect(await failuresOf('7', () => Promise.resolve())).toEqual([]);
  const omissions: string[] = [];
  expect(await orOmitted('The rows could not be kept', omissions, fails)).toBeUndefined();
  expect(await orOmitted('The rows could not be kept', omissions, () => Promise.resolve(3))).toBe(3);
  expect(omissions).toEqual(['The rows could not be kept: a is gone']);
});
