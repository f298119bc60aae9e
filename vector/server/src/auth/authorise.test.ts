// SPDX-License-Identifier: Apache-2.0
import { type Requirement, ServiceError } from '@sextant/contracts-vector';
import { hashSecret } from '@sextant/foundation-service';
import { manualClock } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { signAdminJwt } from './admin-jwt.ts';
import type { AuthSnapshot, Caller } from './auth.ts';
import { type Authorise, createAuthoriser } from './authorise.ts';
import { generateTokenSecret } from './token-secret.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const signing = { signingKey: new TextEncoder().encode('a secret of at least thirty-two bytes'), passwordVersion: 7 };
const secrets = Object.fromEntries([1, 2, 4, 5, 7].map((bits) => [bits, generateTokenSecret()]));
const expiring = generateTokenSecret();
const tokens = [
  ...Object.entries(secrets).map(([bits, secret]) => ({ permission: Number(bits), secret, expiresAtMs: null })),
  { permission: 7, secret: expiring, expiresAtMs: NOW_MS + 1000 },
].map(({ secret, ...token }, index) => ({ ...token, id: index + 1, secretHash: new Uint8Array(hashSecret(secret)) }));
const enforced: AuthSnapshot = { ...signing, enforced: true, adminExists: true, tokens };
const open: AuthSnapshot = { ...enforced, enforced: false };
const jwt = await signAdminJwt(signing, NOW_MS);

const from = (credential?: string, loopback = true): Caller => ({ address: loopback ? '127.0.0.1' : '10.0.0.9', loopback, credential });

async function verdict(snapshot: AuthSnapshot, caller: Caller, requirement: Requirement, clock = manualClock(NOW_MS)): Promise<string> {
  try {
    return (await createAuthoriser({ clock })(snapshot, caller, requirement)).kind;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

describe('while enforcement is off', () => {
  test.each(['none', 'read', 'write', 'admin', 'create_admin', 'reset_password'] as const)(
    '%s wants no credential',
    async (requirement) => {
      expect(await verdict(open, from(), requirement)).toBe('anonymous');
      expect(await verdict(open, from('nonsense'), requirement)).toBe('anonymous');
    },
  );

  test('a new password may come with the JWT, and an access token counts for nothing', async () => {
    expect(await verdict(open, from(jwt), 'reset_password')).toBe('admin');
    expect(await verdict(open, from(secrets[7]), 'reset_password')).toBe('anonymous');
  });

  test('the switch still wants the JWT', async () => {
    expect(await verdict(open, from(), 'admin_jwt')).toBe('unauthorized');
    expect(await verdict(open, from(secrets[7]), 'admin_jwt')).toBe('forbidden');
    expect(await verdict(open, from(jwt), 'admin_jwt')).toBe('admin');
  });

  test.each([undefined, jwt, secrets[7]])('tokens cannot be managed, whoever asks', async (credential) => {
    expect(await verdict(open, from(credential), 'tokens')).toBe('forbidden');
  });
});

describe('while enforcement is on', () => {
  test.each([
    // requirement, none, JWT, read, write, admin, read+admin, all
    ['none', 'anonymous', 'anonymous', 'anonymous', 'anonymous', 'anonymous', 'anonymous', 'anonymous'],
    ['read', 'unauthorized', 'admin', 'token', 'forbidden', 'forbidden', 'token', 'token'],
    ['write', 'unauthorized', 'admin', 'forbidden', 'token', 'forbidden', 'forbidden', 'token'],
    ['admin', 'unauthorized', 'admin', 'forbidden', 'forbidden', 'token', 'token', 'token'],
    ['tokens', 'unauthorized', 'admin', 'forbidden', 'forbidden', 'token', 'token', 'token'],
    ['admin_jwt', 'unauthorized', 'admin', 'forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
    ['create_admin', 'unauthorized', 'admin', 'forbidden', 'forbidden', 'token', 'token', 'token'],
    // Without a credential, the administration asks for the setup code.
    ['reset_password', 'anonymous', 'admin', 'forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
  ] as const)('%s', async (requirement, ...expected) => {
    const credentials = [undefined, jwt, secrets[1], secrets[2], secrets[4], secrets[5], secrets[7]];
    const verdicts = await Promise.all(credentials.map((credential) => verdict(enforced, from(credential), requirement)));
    expect(verdicts).toEqual(expected);
  });

  test('the first admin needs no credential, on this machine', async () => {
    const fresh = { ...enforced, adminExists: false, tokens: [] };
    expect(await verdict(fresh, from(), 'create_admin')).toBe('anonymous');
    expect(await verdict(enforced, from('nonsense'), 'reset_password')).toBe('unauthorized');
  });
});

test.each(['create_admin', 'reset_password'] as const)('%s is refused from another machine, whatever it carries', async (requirement) => {
  for (const snapshot of [open, enforced]) {
    for (const credential of [undefined, jwt, secrets[7]])
      expect(await verdict(snapshot, from(credential, false), requirement)).toBe('forbidden');
  }
});

test.each(['create_admin', 'reset_password'] as const)('%s is refused through a proxy, whatever it carries', async (requirement) => {
  for (const snapshot of [open, enforced]) {
    for (const credential of [undefined, jwt, secrets[7]])
      expect(await verdict(snapshot, { ...from(credential), sender: 'proxy' }, requirement)).toBe('forbidden');
  }
});

describe('credentials that are not valid', () => {
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
  const forged = `${header}.${Buffer.from('{"sub":"admin","exp":9999999999}').toString('base64url')}.${signature}`;
  test.each([
    ['empty', ''],
    ['not a JWT', 'nonsense'],
    ['dots', '..'],
    ['without signature', `${header}.${payload}.`],
    ['of the algorithm none', unsigned],
    ['with another payload', forged],
    ['a token that nobody made', generateTokenSecret()],
    ['a token cut short', secrets[7]?.slice(0, -1) ?? ''],
    ['a token with more behind it', `${secrets[7]}A`],
    ['the prefix alone', 'vdai_'],
    ['endless', 'x'.repeat(1_000_000)],
    ['binary', '\u0000\u{10FFFF}é'],
  ])('%s', async (_name, credential) => {
    expect(await verdict(enforced, from(credential), 'read')).toBe('unauthorized');
  });

  test('a JWT of another key, of another password, or without an expiry', async () => {
    const otherKey = { ...enforced, signingKey: new TextEncoder().encode('another secret of thirty-two bytes!') };
    expect(await verdict(otherKey, from(jwt), 'read')).toBe('unauthorized');
    expect(await verdict({ ...enforced, passwordVersion: 8 }, from(jwt), 'read')).toBe('unauthorized');
  });
});

test('a JWT lives for an hour, even for a thread that remembers it', async () => {
  const clock = manualClock(NOW_MS);
  const authorise = promised(createAuthoriser({ clock }));
  await expect(authorise(enforced, from(jwt), 'read')).resolves.toEqual({ kind: 'admin' });
  clock.advance(3_599_000);
  await expect(authorise(enforced, from(jwt), 'read')).resolves.toEqual({ kind: 'admin' });
  clock.advance(1000);
  await expect(authorise(enforced, from(jwt), 'read')).rejects.toThrow('Invalid or missing authorization token');
});

test('a token stops at its expiry', async () => {
  const clock = manualClock(NOW_MS);
  expect(await verdict(enforced, from(expiring), 'read', clock)).toBe('token');
  clock.advance(1000);
  expect(await verdict(enforced, from(expiring), 'read', clock)).toBe('unauthorized');
});

test('what was valid counts for nothing once the snapshot says otherwise', async () => {
  const authorise = promised(createAuthoriser({ clock: manualClock(NOW_MS) }));
  await authorise(enforced, from(jwt), 'read');
  await authorise(enforced, from(secrets[7]), 'read');
  await expect(authorise({ ...enforced, passwordVersion: 8 }, from(jwt), 'read')).rejects.toThrow(ServiceError);
  await expect(authorise({ ...enforced, tokens: [] }, from(secrets[7]), 'read')).rejects.toThrow(ServiceError);
});

test('a snapshot works on another thread', async () => {
  expect(await verdict(structuredClone(enforced), from(jwt), 'read')).toBe('admin');
  expect(await verdict(structuredClone(enforced), from(secrets[1]), 'read')).toBe('token');
});

test('a refusal says what the token may do', async () => {
  const authorise = promised(createAuthoriser({ clock: manualClock(NOW_MS) }));
  await expect(authorise(enforced, from(secrets[5]), 'write')).rejects.toThrow(
    'This access token has no write permission; it has read,admin',
  );
});

/** Answers at once and refusals by exception look like the others. */
function promised(authorise: Authorise) {
  return (...args: Parameters<Authorise>) => Promise.try(authorise, ...args);
}
