// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { admin, administrations, refusal } from './administration.fixture.ts';
import type { AuthAdministration } from './administration.ts';
import type { Principal } from './auth.ts';

const { start, startEnforced } = administrations({ beforeEach, afterEach });

describe('what a token issues', () => {
  const all = { name: 'a', permission: 'read,write,admin' };
  const as = (id: number): Principal => ({ kind: 'token', id, permission: 7 });
  const ids = async (auth: AuthAdministration) => ((await auth.listTokens()).body as { id: number }[]).map(({ id }) => id);

  test('ends with it, whatever way round it was issued; what the admin has issued stays', async () => {
    const { auth } = await startEnforced();
    for (const issuer of [admin, as(1), as(2), admin, admin, admin]) await auth.createToken(all, issuer);
    await auth.rotateToken({ id: '4', principal: as(3) });
    await auth.rotateToken({ id: '1', principal: as(4) });
    await auth.rotateToken({ id: '4', principal: as(4) });
    await auth.rotateToken({ id: '5', principal: as(1) });
    await auth.rotateToken({ id: '5', principal: admin });
    expect(await ids(auth)).toEqual([1, 2, 3, 4, 5, 6]);
    const { auth: restarted } = start();
    expect((await restarted.deleteToken({ id: '2', principal: admin })).status).toBe(200);
    expect(await ids(restarted)).toEqual([5, 6]);
  });

  test('lives no longer than it', async () => {
    const { auth } = await startEnforced();
    await auth.createToken({ ...all, will_expire: true, expires_in_seconds: 60 }, admin);
    await auth.createToken(all, admin);
    const longer = refusal(400, expect.stringContaining('2026-01-01T00:01:00.000Z'));
    expect(await auth.createToken(all, as(1))).toEqual(longer);
    expect(await auth.createToken({ ...all, will_expire: true, expires_in_seconds: 61 }, as(1))).toEqual(longer);
    expect(await auth.rotateToken({ id: '2', principal: as(1) })).toEqual(longer);
    expect((await auth.createToken({ ...all, will_expire: true, expires_in_seconds: 60 }, as(1))).status).toBe(200);
  });

  test('is nothing once it has ended, also for a request that came before', async () => {
    const { auth } = await startEnforced();
    await auth.createToken(all, admin);
    await auth.createToken(all, admin);
    const replies = await Promise.all([
      auth.deleteToken({ id: '1', principal: admin }),
      auth.createToken(all, as(1)),
      auth.rotateToken({ id: '2', principal: as(1) }),
      auth.deleteToken({ id: '2', principal: as(1) }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 401, 401, 401]);
    expect(await ids(auth)).toEqual([2]);
  });
});
