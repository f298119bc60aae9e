// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { hashPassword, isPassword, passwordProblem } from './password.ts';

const GOOD = 'Correct-Horse-42';

describe('a password that keeps the policy', () => {
  test.each([GOOD, 'Aa1!Aa1!Aa1!', 'Zürich & Genève 1', 'Пароль-Надёжный-7', `Aa1!${'x'.repeat(1020)}`])('%j', (password) => {
    expect(passwordProblem({ password, username: 'admin' })).toBeUndefined();
  });
});

describe('a password that breaks it gets every rule', () => {
  test.each([
    ['', 'must not be empty or only whitespace'],
    ['   \t\n', 'must not be empty or only whitespace'],
    ['admin', 'must not equal the username'],
    [' Admin ', 'must not equal the username'],
    ['Short-1', 'have at least 12 characters'],
    ['Aa1!Aa1!Aa1', 'have at least 12 characters'],
    ['correct-horse-42', 'contain an uppercase letter'],
    ['CORRECT-HORSE-42', 'contain a lowercase letter'],
    ['Correct-Horse-Staple', 'contain a digit'],
    ['CorrectHorse42 ', 'contain a special character'],
    ['short', 'have at least 12 characters, contain an uppercase letter, contain a digit, contain a special character'],
    [`Aa1!${'x'.repeat(1021)}`, 'have at most 1024 characters'],
  ])('%j', (password, expected) => {
    expect(passwordProblem({ password, username: 'admin' })).toContain(expected);
  });
});

describe('a stored password', () => {
  test('knows itself and nothing else', async () => {
    const record = await hashPassword(GOOD);
    expect(await isPassword(GOOD, record)).toBe(true);
    for (const wrong of ['', `${GOOD} `, GOOD.toLowerCase(), 'x'.repeat(100_000)]) expect(await isPassword(wrong, record)).toBe(false);
  });

  test('is the same however a keyboard composes its letters', async () => {
    const record = await hashPassword('Zu\u0308rich-Ist-42');
    expect(await isPassword('Z\u00fcrich-Ist-42', record)).toBe(true);
  });

  test('is salted, and does not hold the password', async () => {
    const [one, other] = await Promise.all([hashPassword(GOOD), hashPassword(GOOD)]);
    expect(one.hash).not.toBe(other.hash);
    expect(JSON.stringify(one)).not.toContain(GOOD);
    expect(one).toMatchObject({ memoryKiB: 19_456, passes: 2, parallelism: 1 });
  });

  test('is nobody’s when there is none', async () => {
    expect(await isPassword(GOOD, undefined)).toBe(false);
  });
});
