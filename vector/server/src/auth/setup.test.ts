// SPDX-License-Identifier: Apache-2.0
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { admin, administrations, GOOD, here, OTHER, refusal } from './administration.fixture.ts';
import type { Caller, Principal } from './auth.ts';

const browser: Caller = { ...here, sender: 'browser' };
const anonymous: Principal = { kind: 'anonymous' };
const token: Principal = { kind: 'token', id: 1, permission: 7 };
const { fileOf, start, startEnforced } = administrations({ beforeEach, afterEach });

describe('the setup code', () => {
  const codeOf = () => readFileSync(fileOf('setup-code'), 'utf8');
  const needed = refusal(403, expect.stringContaining('setup-code'));

  test('is in a file of its owner alone, and shown while there is no admin', async () => {
    const { auth } = start();
    expect(codeOf()).toMatch(/^(?:[0-9A-Z]{5}-){3}[0-9A-Z]{5}$/);
    expect(statSync(fileOf('setup-code')).mode & 0o777).toBe(0o600);
    expect(auth.setupCode).toBe(codeOf());
    expect(start().auth.setupCode).toBe(codeOf());
    await start().auth.createAdmin({ password: GOOD, caller: here });
    expect(start().auth.setupCode).toBeUndefined();
  });

  test('lets a browser create the admin, once, and is another one then', async () => {
    const { auth } = start();
    const code = codeOf();
    expect(await auth.createAdmin({ password: GOOD, caller: browser })).toEqual(needed);
    expect(await auth.createAdmin({ password: GOOD, caller: browser, setup_code: 'AAAAA-AAAAA-AAAAA-AAAAA' })).toEqual(needed);
    expect(await auth.createAdmin({ password: 'short', caller: browser, setup_code: code })).toMatchObject({ status: 400 });
    expect(codeOf()).toBe(code);
    const typed = code.toLowerCase().replaceAll('-', ' ');
    expect(await auth.createAdmin({ password: GOOD, caller: browser, setup_code: typed })).toMatchObject({ status: 200 });
    expect(codeOf()).not.toBe(code);
    expect(await auth.resetPassword({ password: OTHER, caller: browser, principal: anonymous, setup_code: code })).toEqual(needed);
  });

  test('is needed by whoever does not say what it is', async () => {
    const { auth } = start();
    const { sender: _, ...caller } = here;
    expect(await auth.createAdmin({ password: GOOD, caller })).toEqual(needed);
  });

  test('helps nobody through a proxy or from elsewhere', async () => {
    const { auth } = start();
    for (const caller of [{ ...here, sender: 'proxy' } as const, { ...browser, loopback: false }]) {
      const proof = { caller, setup_code: codeOf() };
      expect(await auth.createAdmin({ password: GOOD, ...proof })).toEqual(refusal(403, expect.stringContaining('machine')));
      const reset = await auth.resetPassword({ password: GOOD, principal: admin, ...proof });
      expect(reset).toEqual(refusal(403, expect.stringContaining('machine')));
    }
  });

  test('resets the password of the admin while enforcement is on, and no access token does', async () => {
    const { auth } = await startEnforced();
    const reset = (principal: Principal, caller: Caller, setup_code?: string) =>
      auth.resetPassword({ password: OTHER, caller, principal, ...(setup_code !== undefined && { setup_code }) });
    for (const principal of [anonymous, token]) {
      for (const caller of [here, browser]) expect(await reset(principal, caller)).toEqual(needed);
    }
    expect((await auth.login({ password: GOOD, address: 'x' })).status).toBe(200);
    expect(await reset(anonymous, here, codeOf())).toMatchObject({ status: 200 });
    expect(await reset(admin, browser)).toMatchObject({ status: 200 });
  });

  test('while enforcement is off is needed by browsers alone', async () => {
    const { auth } = start();
    await auth.createAdmin({ password: GOOD, caller: here });
    expect(await auth.resetPassword({ password: OTHER, caller: browser, principal: anonymous })).toEqual(needed);
    expect(await auth.resetPassword({ password: OTHER, caller: browser, principal: token })).toEqual(needed);
    expect(await auth.resetPassword({ password: OTHER, caller: here, principal: anonymous })).toMatchObject({ status: 200 });
  });

  test('works for one of many requests that come together', async () => {
    const { auth } = await startEnforced();
    const setup_code = codeOf();
    const replies = await Promise.all(
      [GOOD, OTHER, GOOD].map((password) => auth.resetPassword({ password, caller: browser, principal: anonymous, setup_code })),
    );
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 403, 403]);
  });

  test('cannot be guessed for long', async () => {
    const { auth, clock } = start();
    const guess = (setup_code: string) => auth.createAdmin({ password: GOOD, caller: browser, setup_code });
    for (let attempt = 0; attempt < 20; attempt += 1) expect((await guess(`${attempt}`)).status).toBe(403);
    expect(await guess(codeOf())).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
    clock.advance(3000);
    expect((await guess(codeOf())).status).toBe(200);
  });

  test('is replaced where the file holds something else', () => {
    writeFileSync(fileOf('setup-code'), 'short');
    expect(start().auth.setupCode).toMatch(/^(?:[0-9A-Z]{5}-){3}[0-9A-Z]{5}$/);
  });
});
