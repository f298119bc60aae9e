// SPDX-License-Identifier: Apache-2.0
import { ServiceError } from '@sextant/contracts-vector';
import { hashSecret } from '@sextant/foundation-service';
import { manualClock } from '@sextant/foundation-std';
import { ANY_CHARACTER, roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signAdminJwt } from './admin-jwt.ts';
import type { AuthSnapshot } from './auth.ts';
import { createAuthoriser } from './authorise.ts';
import { generateTokenSecret } from './token-secret.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const secret = generateTokenSecret();
const snapshot: AuthSnapshot = {
  enforced: true,
  adminExists: true,
  signingKey: new TextEncoder().encode('a secret of at least thirty-two bytes'),
  passwordVersion: 7,
  tokens: [{ id: 1, secretHash: new Uint8Array(hashSecret(secret)), permission: 7, expiresAtMs: null }],
};
const jwt = await signAdminJwt(snapshot, NOW_MS);
const authorise = createAuthoriser({ clock: manualClock(NOW_MS) });

const base64url = (text: string) => Buffer.from(text).toString('base64url');
/** Anything, things shaped like a JWT, and our own credentials with some of their characters replaced. */
const forgery = fc.oneof(
  fc.string({ unit: ANY_CHARACTER }),
  fc.tuple(fc.json(), fc.json(), fc.string()).map((parts) => parts.map(base64url).join('.')),
  fc.string().map((text) => `vdai_${text}`),
  fc.tuple(fc.constantFrom(jwt, secret), fc.nat(), fc.string({ maxLength: 3 })).map(([credential, at, text]) => {
    const position = at % credential.length;
    return credential.slice(0, position) + text + credential.slice(position + text.length);
  }),
);

test('nothing but our own credentials opens anything, and nothing breaks the check', async () => {
  await fc.assert(
    fc.asyncProperty(forgery, async (credential) => {
      // The last character of a JWT's signature has spare bits, so several spellings of one signature are the same bytes.
      fc.pre(credential !== jwt && credential !== secret && credential.slice(0, -1) !== jwt.slice(0, -1));
      const attempt = Promise.try(authorise, snapshot, { address: '127.0.0.1', loopback: true, credential }, 'read');
      await expect(attempt).rejects.toSatisfy((error) => error instanceof ServiceError && error.code === 'unauthorized');
    }),
    { numRuns: roundsOf({ quick: 330, long: 10_000 }) },
  );
});
