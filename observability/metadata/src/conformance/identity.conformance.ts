// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Fixture } from './engines.conformance.ts';
import { USER } from './samples.conformance.ts';

const LATER = '2026-03-20T00:00:00.000Z';

export function identitySuite({ metadata, tenant, clock }: Fixture): void {
  test('a tenant begins with project 0 and its id is taken from then on', async () => {
    const { tenantId, projects } = await tenant();
    expect(await projects.list()).toMatchObject([{ id: 0, name: 'Default' }]);
    await expect(metadata().platform.tenants.create({ id: tenantId, name: 'again' })).rejects.toThrow('already');
    expect(await metadata().platform.tenants.find(tenantId)).toMatchObject({ id: tenantId });
    expect(await metadata().platform.tenants.find('nobody')).toBeUndefined();
    expect((await metadata().platform.tenants.list()).map(({ id }) => id)).toContain(tenantId);
  });

  test('a setting is set once by whoever comes first', async () => {
    const { settings } = metadata().platform;
    const values = await Promise.all(['a', 'b', 'c'].map((value) => settings.setIfAbsent('signing key', value)));
    expect(new Set(values).size).toBe(1);
    await settings.set('signing key', 'new');
    expect(await settings.get('signing key')).toBe('new');
    expect(await settings.get('unknown')).toBeUndefined();
  });

  test('an e-mail address is one user, whatever its case', async () => {
    const { users } = await tenant();
    const user = await users.create(USER);
    await expect(users.create({ ...USER, email: 'ADA@EXAMPLE.ORG' })).rejects.toMatchObject({ name: 'MetadataConflict', kind: 'user' });
    expect(await users.findByEmail('ada@example.ORG')).toEqual({ ...user, password_hash: 'hash', password_version: 1 });
    expect(user).not.toHaveProperty('password_hash');
    expect(await users.findByEmail('grace@example.org')).toBeUndefined();
  });

  test('the last admin keeps the role and stays', async () => {
    const { users } = await tenant();
    const ada = await users.create(USER);
    await expect(users.update(ada.id, { role: 'viewer' })).rejects.toThrow('only admin');
    await expect(users.delete(ada.id)).rejects.toThrow('only admin');
    await users.create({ ...USER, email: 'grace@example.org' });
    expect(await users.update(ada.id, { role: 'viewer' })).toMatchObject({ role: 'viewer', first_name: 'Ada' });
    await users.delete(ada.id);
    await expect(users.delete(ada.id)).rejects.toMatchObject({ name: 'MetadataMissing', kind: 'user' });
  });

  test('of two admins that are demoted at once one stays', async () => {
    const { users } = await tenant();
    const admins = [await users.create(USER), await users.create({ ...USER, email: 'grace@example.org' })];
    const results = await Promise.allSettled(admins.map(({ id }) => users.update(id, { role: 'viewer' })));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await users.list()).filter(({ role }) => role === 'admin')).toHaveLength(1);
  });

  test('project roles come and go', async () => {
    const { users, projects } = await tenant();
    const { id } = await users.create(USER);
    const project = await projects.create({ name: 'p', description: null, created_by: 'ada' });
    expect(await users.setProjectRole(id, project.id, 'operator')).toMatchObject({ project_roles: { [project.id]: 'operator' } });
    expect(await users.setProjectRole(id, project.id, 'editor')).toMatchObject({ project_roles: { [project.id]: 'editor' } });
    expect(await users.list()).toMatchObject([{ project_roles: { [project.id]: 'editor' } }]);
    expect((await users.setProjectRole(id, project.id, null)).project_roles).toEqual({});
    await expect(users.setProjectRole(id, 99, 'viewer')).rejects.toMatchObject({ kind: 'project', id: '99' });
  });

  test('a refresh token is used once; its second use ends the family', async () => {
    const { tenantId, users, refreshTokens } = await tenant();
    const { id: user_id } = await users.create(USER);
    const hash = (name: string) => createHash('sha256').update(`${tenantId} ${name}`).digest('hex');
    await refreshTokens.issue({ user_id, token_hash: hash('1'), expires_at: LATER });
    const rotate = (from: string, to: string) =>
      refreshTokens.rotate({ token_hash: hash(from), successor_hash: hash(to), expires_at: LATER });
    expect(await rotate('1', '2')).toEqual({ kind: 'rotated', user_id });
    expect(await metadata().platform.credentials.findRefreshToken(hash('2'))).toEqual({ tenant_id: tenantId, user_id });
    expect(await rotate('1', '3')).toEqual({ kind: 'reused', user_id });
    expect(await rotate('2', '3')).toEqual({ kind: 'unknown' });
  });

  test('a clock that is set back makes the grace of a used refresh token no longer', async () => {
    const { tenantId, users, refreshTokens } = await tenant();
    const { id: user_id } = await users.create(USER);
    await refreshTokens.issue({ user_id, token_hash: `${tenantId} 1`, expires_at: LATER });
    const rotate = (from: string, to: string) =>
      refreshTokens.rotate({ token_hash: `${tenantId} ${from}`, successor_hash: `${tenantId} ${to}`, expires_at: LATER, grace_ms: 1000 });
    expect(await rotate('1', '2')).toEqual({ kind: 'rotated', user_id });
    clock.advance(-3_600_000);
    expect(await rotate('1', '3')).toEqual({ kind: 'reused', user_id });
    clock.advance(3_600_000);
  });

  test('within the grace after its first use a refresh token may be used again, and its successors go on; after it, that is a second use', async () => {
    const { tenantId, users, refreshTokens } = await tenant();
    const { id: user_id } = await users.create(USER);
    await refreshTokens.issue({ user_id, token_hash: `${tenantId} 1`, expires_at: LATER });
    const rotate = (from: string, to: string) =>
      refreshTokens.rotate({ token_hash: `${tenantId} ${from}`, successor_hash: `${tenantId} ${to}`, expires_at: LATER, grace_ms: 1000 });
    expect(await rotate('1', '2a')).toEqual({ kind: 'rotated', user_id });
    clock.advance(999);
    expect(await rotate('1', '2b')).toEqual({ kind: 'rotated', user_id });
    expect(await rotate('2a', '3a')).toEqual({ kind: 'rotated', user_id });
    expect(await rotate('2b', '3b')).toEqual({ kind: 'rotated', user_id });
    clock.advance(1);
    expect(await rotate('1', '4')).toEqual({ kind: 'reused', user_id });
    expect(await rotate('3a', '4')).toEqual({ kind: 'unknown' });
    expect(await rotate('3b', '4')).toEqual({ kind: 'unknown' });
  });

  test('of two uses of a refresh token at once only one succeeds', async () => {
    const { tenantId, users, refreshTokens } = await tenant();
    const { id: user_id } = await users.create(USER);
    await refreshTokens.issue({ user_id, token_hash: `${tenantId} first`, expires_at: LATER });
    const results = await Promise.all(
      ['x', 'y'].map((name) =>
        refreshTokens.rotate({ token_hash: `${tenantId} first`, successor_hash: `${tenantId} ${name}`, expires_at: LATER }),
      ),
    );
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['reused', 'rotated']);
  });

  test('refresh tokens end with their time, their password, their sign-out', async () => {
    const { tenantId, users, refreshTokens } = await tenant();
    const { id: user_id } = await users.create(USER);
    const rotate = (name: string) =>
      refreshTokens.rotate({ token_hash: `${tenantId} ${name}`, successor_hash: `${tenantId} next ${name}`, expires_at: LATER });
    const issue = (name: string, expires_at = LATER) => refreshTokens.issue({ user_id, token_hash: `${tenantId} ${name}`, expires_at });
    await issue('old', new Date(clock.nowMs()).toISOString());
    expect(await rotate('old')).toEqual({ kind: 'expired' });
    expect(await refreshTokens.deleteExpired()).toBe(1);
    await issue('a');
    await users.setPassword(user_id, 'new hash');
    expect(await rotate('a')).toEqual({ kind: 'unknown' });
    expect(await users.find(user_id)).toMatchObject({ password_hash: 'new hash', password_version: 2 });
    await issue('b');
    await refreshTokens.revoke(`${tenantId} b`);
    expect(await rotate('b')).toEqual({ kind: 'unknown' });
    await issue('c');
    await refreshTokens.revokeAllOf(user_id);
    expect(await rotate('c')).toEqual({ kind: 'unknown' });
  });

  test('an API key is found by its hash and goes with its creator', async () => {
    const { tenantId, users, apiKeys } = await tenant();
    await users.create({ ...USER, email: 'grace@example.org' });
    const { id: creator_id } = await users.create(USER);
    const secret_hash = `${tenantId} secret`;
    const key = await apiKeys.create({ name: 'ci', secret_hash, role: 'editor', creator_id });
    const unowned = await apiKeys.create({ name: 'robot', secret_hash: `${tenantId} other`, role: 'admin', creator_id: null });
    const found = { tenant_id: tenantId, id: key.id, name: 'ci', role: 'editor', creator_id };
    expect(await metadata().platform.credentials.findApiKey(secret_hash)).toEqual(found);
    expect(await apiKeys.get(key.id)).toEqual({ id: key.id, name: 'ci' });
    await users.delete(creator_id);
    expect(await metadata().platform.credentials.findApiKey(secret_hash)).toBeUndefined();
    expect(await apiKeys.list()).toEqual([unowned]);
    await apiKeys.delete(unowned.id);
    await expect(apiKeys.delete(unowned.id)).rejects.toMatchObject({ kind: 'API key' });
  });
}
