// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { admin, administrations, GOOD, here, OTHER, refusal } from './administration.fixture.ts';
import type { AuthAdministration } from './administration.ts';
import type { AuthReply, AuthSnapshot, Caller, Principal } from './auth.ts';

const elsewhere: Caller = { address: '10.0.0.9', loopback: false, credential: undefined };
const anonymous: Principal = { kind: 'anonymous' };
const { start, startEnforced } = administrations({ beforeEach, afterEach });

async function jwtOf(auth: AuthAdministration, password: string): Promise<string> {
  return field(await auth.login({ password, address: '127.0.0.1' }), 'token');
}

/** A text member of a reply's body, which the types leave open. */
function field(reply: AuthReply, name: string): string {
  const value: unknown = Object.entries(reply.body ?? {}).find(([key]) => key === name)?.[1];
  if (typeof value !== 'string') throw new Error(`${name} is ${JSON.stringify(value)} in ${JSON.stringify(reply)}`);
  return value;
}

describe('the admin', () => {
  test('is created once, from this machine', async () => {
    const { auth } = start();
    expect((await auth.adminExists()).body).toEqual({ usage: { hardware: null }, time: 0, status: 'ok', result: false });
    expect(await auth.createAdmin({ password: GOOD, caller: elsewhere })).toEqual(refusal(403, expect.stringContaining('machine')));
    expect(await auth.createAdmin({ password: GOOD, caller: here })).toEqual({
      status: 200,
      body: { status: 'success', message: 'User registered successfully' },
    });
    expect((await auth.adminExists()).body).toEqual({ usage: { hardware: null }, time: 0, status: 'ok', result: true });
    expect(await auth.createAdmin({ password: OTHER, caller: here })).toEqual(refusal(409, 'Username already exists'));
  });

  test('is one even when two requests come together', async () => {
    const { auth } = start();
    const replies = await Promise.all([GOOD, OTHER].map((password) => auth.createAdmin({ password, caller: here })));
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  });

  test.each([
    ['', 'The password must not be empty or only whitespace'],
    ['short', expect.stringContaining('at least 12 characters')],
  ])('is not created, and not reset, with the password %j', async (password, message) => {
    const { auth } = start();
    expect(await auth.createAdmin({ password, caller: here })).toEqual(refusal(400, message));
    expect(auth.snapshot().adminExists).toBe(false);
    expect(await auth.resetPassword({ password, caller: here, principal: anonymous })).toEqual(refusal(400, message));
  });
});

describe('login', () => {
  test('gives a JWT for an hour', async () => {
    const { auth, mayWith } = await startEnforced();
    const reply = await auth.login({ password: GOOD, address: 'x' });
    expect(reply).toEqual({ status: 200, body: { token: expect.any(String), message: 'Login successful', expires_in: 3600 } });
    expect(await mayWith(field(reply, 'token'), 'admin_jwt')).toBe(true);
  });

  test.each(['', '   ', '\t\n'])('with a blank password, as %j, says which field is missing', async (password) => {
    const { auth } = start();
    expect(await auth.login({ password, address: 'x' })).toEqual(refusal(400, 'Missing required field: password'));
  });

  test('answers a wrong password and a missing admin alike', async () => {
    const { auth } = start();
    const nobody = await auth.login({ password: GOOD, address: 'x' });
    await auth.createAdmin({ password: GOOD, caller: here });
    const wrong = await auth.login({ password: OTHER, address: 'x' });
    expect(wrong).toEqual({ status: 401, body: { token: null, message: 'Invalid username or password', expires_in: 0 } });
    expect(nobody).toEqual(wrong);
  });

  test('is slowed after many wrong passwords, and says for how long', async () => {
    const { auth, clock } = start();
    for (let attempt = 0; attempt < 20; attempt++) await auth.login({ password: 'x'.repeat(2000), address: 'x' });
    expect(await auth.login({ password: GOOD, address: 'x' })).toEqual({
      ...refusal(429, 'Too many attempts; try again in 3 s'),
      headers: { 'retry-after': '3' },
    });
    expect((await auth.login({ password: GOOD, address: 'y' })).status).toBe(401);
    clock.advance(3000);
    expect((await auth.login({ password: GOOD, address: 'x' })).status).toBe(401);
  });
});

describe('a password reset', () => {
  test('makes the old password and its JWTs worthless', async () => {
    const { auth, mayWith } = await startEnforced();
    const old = await jwtOf(auth, GOOD);
    expect(await auth.resetPassword({ password: OTHER, caller: here, principal: admin })).toEqual({
      status: 200,
      body: { status: 'success', message: 'Password reset successfully' },
    });
    expect(await mayWith(old, 'read')).toBe(false);
    expect((await auth.login({ password: GOOD, address: 'x' })).status).toBe(401);
    expect(await mayWith(await jwtOf(auth, OTHER), 'read')).toBe(true);
  });

  test('needs an admin and this machine', async () => {
    const { auth } = start();
    expect(await auth.resetPassword({ password: GOOD, caller: here, principal: anonymous })).toEqual(refusal(404, 'User not found'));
    expect((await auth.resetPassword({ password: GOOD, caller: elsewhere, principal: admin })).status).toBe(403);
  });
});

describe('the switch', () => {
  test('answers with the new state', async () => {
    const { auth } = start();
    for (const enabled of [true, true, false]) {
      expect(await auth.setEnforced({ enabled, principal: admin })).toEqual({
        status: 200,
        body: { usage: { hardware: null }, time: 0, status: 'ok', result: enabled },
      });
      expect(auth.snapshot().enforced).toBe(enabled);
    }
  });

  test('listens to nobody but the admin', async () => {
    const { auth } = start();
    for (const principal of [{ kind: 'anonymous' }, { kind: 'token', id: 1, permission: 7 }] as const) {
      expect(await auth.setEnforced({ enabled: true, principal })).toEqual(refusal(401, 'Invalid or missing authorization token'));
    }
    expect(auth.snapshot().enforced).toBe(false);
  });
});

describe('access tokens', () => {
  const request = { name: 'reader', description: 'reads', permission: 'read' };
  const listed = {
    id: 1,
    name: 'reader',
    description: 'reads',
    created_at: '2026-01-01T00:00:00.000Z',
    expired_at: null,
    will_expire: false,
    permission: 'read',
  };

  test('show their secret once', async () => {
    const { auth, mayWith } = await startEnforced();
    const created = await auth.createToken(request, admin);
    expect(created).toEqual({ status: 200, body: { ...listed, api_key: expect.stringMatching(/^vdai_[\w-]{43}$/) } });
    expect(await auth.listTokens()).toEqual({ status: 200, body: [listed] });
    expect(await mayWith(field(created, 'api_key'), 'read')).toBe(true);
    expect(await mayWith(field(created, 'api_key'), 'write')).toBe(false);
  });

  test('expire at the time that was asked for', async () => {
    const { auth, clock, mayWith } = await startEnforced();
    const created = await auth.createToken({ ...request, will_expire: true, expires_in_seconds: 60 }, admin);
    expect(created.body).toMatchObject({ will_expire: true, expired_at: '2026-01-01T00:01:00.000Z' });
    clock.advance(59_999);
    expect(await mayWith(field(created, 'api_key'), 'read')).toBe(true);
    clock.advance(1);
    expect(await mayWith(field(created, 'api_key'), 'read')).toBe(false);
    expect(await auth.rotateToken({ id: '1', principal: admin })).toEqual(refusal(400, 'Cannot rotate an expired access token'));
    expect((await auth.deleteToken({ id: '1', principal: admin })).status).toBe(200);
  });

  test('without will_expire a lifetime means nothing', async () => {
    const { auth } = await startEnforced();
    expect((await auth.createToken({ ...request, expires_in_seconds: 60 }, admin)).body).toMatchObject({
      expired_at: null,
      will_expire: false,
    });
  });

  test('rotate to a new secret and keep the rest', async () => {
    const { auth, clock, mayWith } = await startEnforced();
    const first = field(await auth.createToken(request, admin), 'api_key');
    clock.advance(5000);
    const rotated = await auth.rotateToken({ id: '1', principal: admin });
    expect(rotated).toEqual({ status: 200, body: { ...listed, api_key: expect.not.stringMatching(first) } });
    expect(await mayWith(first, 'read')).toBe(false);
    expect(await mayWith(field(rotated, 'api_key'), 'read')).toBe(true);
  });

  test('are dead once deleted, and their ids are not given again', async () => {
    const { auth, mayWith } = await startEnforced();
    const secret = field(await auth.createToken(request, admin), 'api_key');
    expect(await auth.deleteToken({ id: '1', principal: admin })).toEqual({
      status: 200,
      body: { status: 'success', message: 'Access token deleted successfully' },
    });
    expect(await mayWith(secret, 'read')).toBe(false);
    expect(await auth.listTokens()).toEqual({ status: 200, body: [] });
    const { auth: restarted } = start();
    expect((await restarted.createToken(request, admin)).body).toMatchObject({ id: 2 });
  });

  test.each(['2', '0', '-1', '01', '1.0', ' 1', '', 'abc', '1e0', '99999999999999999999', '__proto__'])('%j is no token', async (id) => {
    const { auth } = await startEnforced();
    await auth.createToken(request, admin);
    expect(await auth.deleteToken({ id, principal: admin })).toEqual(refusal(404, 'Access token not found'));
    expect(await auth.rotateToken({ id, principal: admin })).toEqual(refusal(404, 'Access token not found'));
  });

  test.each([
    [{ name: '  ' }, 'name must not be empty or only whitespace'],
    [{ permission: 'root' }, 'permission must be one or more of read, write and admin, joined by commas'],
    [{ permission: '' }, 'permission must be one or more of read, write and admin, joined by commas'],
    [{ will_expire: true }, 'Missing required field: expires_in_seconds (will_expire is true)'],
    [{ will_expire: true, expires_in_seconds: null }, 'Missing required field: expires_in_seconds (will_expire is true)'],
  ])('are not made from %j', async (change, message) => {
    const { auth } = await startEnforced();
    expect(await auth.createToken({ ...request, ...change }, admin)).toEqual(refusal(400, message));
    expect((await auth.listTokens()).body).toEqual([]);
  });

  test('cannot be managed while enforcement is off', async () => {
    const { auth } = start();
    const replies = await Promise.all([
      auth.createToken(request, admin),
      auth.listTokens(),
      auth.rotateToken({ id: '1', principal: admin }),
      auth.deleteToken({ id: '1', principal: admin }),
    ]);
    for (const reply of replies) expect(reply).toEqual(refusal(403, 'API key management API requires auth_enabled=true'));
  });
});

describe('other threads', () => {
  test('know of a change before it is acknowledged', async () => {
    const { auth } = await startEnforced();
    await auth.createToken({ name: 'reader', permission: 'read' }, admin);
    const { promise, resolve } = Promise.withResolvers<void>();
    const heard: AuthSnapshot[] = [];
    auth.onChange((snapshot) => {
      heard.push(snapshot);
      return promise;
    });
    let acknowledged = false;
    const deletion = auth.deleteToken({ id: '1', principal: admin }).then(() => {
      acknowledged = true;
    });
    await new Promise((tick) => setImmediate(tick));
    expect(heard.map(({ tokens }) => tokens)).toEqual([[]]);
    expect(acknowledged).toBe(false);
    resolve();
    await deletion;
  });

  test('hear of changes in order, and of nothing that was refused', async () => {
    const { auth } = await startEnforced();
    const counts: number[] = [];
    auth.onChange(async ({ tokens }) => {
      await new Promise((tick) => setImmediate(tick));
      counts.push(tokens.length);
    });
    const token = { name: 'reader', permission: 'read' };
    await Promise.all([
      auth.createToken(token, admin),
      auth.createToken({ ...token, permission: 'none' }, admin),
      auth.createToken(token, admin),
      auth.deleteToken({ id: '1', principal: admin }),
      auth.deleteToken({ id: '9', principal: admin }),
    ]);
    expect(counts).toEqual([1, 2, 1]);
  });

  test('one that does not answer does not keep later changes from being made', async () => {
    const { auth } = await startEnforced();
    let isBroken = true;
    auth.onChange(async () => {
      if (isBroken) throw new Error('thread gone');
    });
    await expect(auth.createToken({ name: 'reader', permission: 'read' }, admin)).rejects.toThrow('thread gone');
    isBroken = false;
    expect((await auth.createToken({ name: 'reader', permission: 'read' }, admin)).status).toBe(200);
  });
});

describe('after a restart', () => {
  test('admin, switch and tokens are as they were', async () => {
    const before = await startEnforced();
    const jwt = await jwtOf(before.auth, GOOD);
    const secret = field(await before.auth.createToken({ name: 'all', permission: 'read,write,admin' }, admin), 'api_key');
    const tokens = await before.auth.listTokens();
    const after = start({ initiallyEnforced: false });
    expect(after.auth.snapshot().enforced).toBe(true);
    expect(await after.auth.listTokens()).toEqual(tokens);
    expect(await after.mayWith(jwt, 'admin_jwt')).toBe(true);
    expect(await after.mayWith(secret, 'write')).toBe(true);
    expect((await after.auth.login({ password: GOOD, address: 'x' })).status).toBe(200);
  });

  test('another secret makes every JWT worthless', async () => {
    const jwt = await jwtOf((await startEnforced()).auth, GOOD);
    expect(await start().mayWith(jwt, 'admin_jwt')).toBe(true);
    expect(await start({ jwtSecret: 'another secret of thirty-two bytes!' }).mayWith(jwt, 'admin_jwt')).toBe(false);
  });

  test('a short configured secret is worth a warning', () => {
    expect(start({ jwtSecret: 'short' }).auth.hasWeakSecret).toBe(true);
    expect(start({ jwtSecret: 'another secret of thirty-two bytes!' }).auth.hasWeakSecret).toBe(false);
  });

  test('the configured initial state counts only until somebody has used the switch', async () => {
    expect(start({ initiallyEnforced: true }).auth.snapshot().enforced).toBe(true);
    const { auth } = start({ initiallyEnforced: false });
    expect(auth.snapshot().enforced).toBe(false);
    await auth.setEnforced({ enabled: false, principal: admin });
    expect(start({ initiallyEnforced: true }).auth.snapshot().enforced).toBe(false);
  });
});
