// SPDX-License-Identifier: Apache-2.0
/** Who is calling, and may they? Runs on every serving thread, against that thread's latest snapshot. */
import { timingSafeEqual } from 'node:crypto';
import { type Requirement, ServiceError } from '@sextant/contracts-vector';
import { hashSecret } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { verifyAdminJwt } from './admin-jwt.ts';
import { type AuthSnapshot, type Caller, PERMISSION, type Principal } from './auth.ts';
import { formatPermission } from './permission.ts';
import { TOKEN_PREFIX } from './token-secret.ts';

/**
 * The caller's principal, or a `ServiceError`: `unauthorized` without a valid credential, `forbidden` with one that does not suffice. Only a JWT that
 * this thread sees for the first time takes a promise.
 */
export type Authorise = (snapshot: AuthSnapshot, caller: Caller, requirement: Requirement) => Promise<Principal> | Principal;

export const TOKENS_NEED_ENFORCEMENT = 'API key management API requires auth_enabled=true';
export const THIS_MACHINE_ONLY = 'This endpoint can only be called from the machine that the server runs on';
export const NOT_THROUGH_PROXIES = `${THIS_MACHINE_ONLY}, not through a proxy`;

const ANONYMOUS: Principal = { kind: 'anonymous' };
/** Longer than any credential of ours; what is longer is not worth hashing. */
const CREDENTIAL_LENGTH_MAX = 4096;
/** Verified credentials that a thread remembers. */
const VERIFIED_MAX = 1000;

export function createAuthoriser({ clock }: { readonly clock: Clock }): Authorise {
  const identify = createIdentifier(clock);

  return (snapshot, caller, requirement) => {
    const isOpen = !snapshot.enforced;
    const having = (wanted: keyof typeof PERMISSION) =>
      onceKnown(identify(snapshot, caller), (principal) => withPermission(principal, wanted));
    switch (requirement) {
      case 'none':
        return ANONYMOUS;
      case 'read':
      case 'write':
      case 'admin':
        return isOpen ? ANONYMOUS : having(requirement);
      case 'admin_jwt':
        return onceKnown(identify(snapshot, caller), asAdmin);
      case 'tokens':
        if (isOpen) throw new ServiceError('forbidden', { reason: TOKENS_NEED_ENFORCEMENT });
        return having('admin');
      case 'create_admin':
        requireThisMachine(caller);
        return isOpen || !snapshot.adminExists ? ANONYMOUS : having('admin');
      case 'reset_password':
        requireThisMachine(caller);
        // Without a credential, the administration asks for the setup code.
        if (caller.credential === undefined) return ANONYMOUS;
        return isOpen ? adminOrAnonymous(() => identify(snapshot, caller)) : onceKnown(identify(snapshot, caller), asAdmin);
    }
  };
}

function requireThisMachine({ loopback, sender }: Caller): void {
  if (!loopback) throw new ServiceError('forbidden', { reason: THIS_MACHINE_ONLY });
  if (sender === 'proxy') throw new ServiceError('forbidden', { reason: NOT_THROUGH_PROXIES });
}

/** While enforcement is off a credential may be anything; the admin's own still tells who it is. */
async function adminOrAnonymous(identify: () => Promise<Identified> | Identified): Promise<Principal> {
  try {
    return asAdmin(await identify());
  } catch (error) {
    if (error instanceof ServiceError) return ANONYMOUS;
    throw error;
  }
}

type Identified = Exclude<Principal, { kind: 'anonymous' }>;

function onceKnown(
  principal: Identified | Promise<Identified>,
  check: (principal: Identified) => Principal,
): Principal | Promise<Principal> {
  return principal instanceof Promise ? principal.then(check) : check(principal);
}

type Verified = { readonly principal: Identified; readonly expiresAtMs: number };

/**
 * Verifies a credential once: a hash or a signature for each request would cost as much as everything else about it. What is remembered is dead with
 * the next snapshot, so with every change of a token, the key or the password. A lookup tells nothing about a secret that is not the
 * caller's: a map compares texts only where their seeded hashes agree.
 */
function createIdentifier(clock: Clock): (snapshot: AuthSnapshot, caller: Caller) => Promise<Identified> | Identified {
  let current: { readonly snapshot: AuthSnapshot; readonly tokens: TokensByHash; readonly verified: Map<string, Verified> } | undefined;

  return (snapshot, { credential }) => {
    if (credential === undefined || credential.length > CREDENTIAL_LENGTH_MAX) throw new ServiceError('unauthorized');
    if (current?.snapshot !== snapshot) current = { snapshot, tokens: tokensByHash(snapshot), verified: new Map() };
    const { tokens, verified } = current;
    const nowMs = clock.nowMs();
    const take = (found: Verified | undefined): Identified => {
      if (found === undefined || found.expiresAtMs <= nowMs) throw new ServiceError('unauthorized');
      if (verified.size >= VERIFIED_MAX) verified.clear();
      verified.set(credential, found);
      return found.principal;
    };
    const known = verified.get(credential);
    if (known !== undefined && known.expiresAtMs > nowMs) return known.principal;
    return credential.startsWith(TOKEN_PREFIX) ? take(verifyToken(tokens, credential)) : verifyJwt(snapshot, credential, nowMs).then(take);
  };
}

type TokensByHash = ReadonlyMap<string, AuthSnapshot['tokens'][number]>;

function tokensByHash({ tokens }: AuthSnapshot): TokensByHash {
  return new Map(tokens.map((token) => [Buffer.from(token.secretHash).toString('base64'), token]));
}

/** The map finds the candidate by hash, of which a caller cannot choose a single bit; the comparison that decides takes constant time. */
function verifyToken(tokens: TokensByHash, secret: string): Verified | undefined {
  const hash = hashSecret(secret);
  const token = tokens.get(hash.toString('base64'));
  if (token === undefined || !timingSafeEqual(token.secretHash, hash)) return undefined;
  const { id, permission, expiresAtMs, collections } = token;
  const principal = { kind: 'token', id, permission, ...(collections && { collections }) } as const;
  return { principal, expiresAtMs: expiresAtMs ?? Number.POSITIVE_INFINITY };
}

async function verifyJwt(snapshot: AuthSnapshot, jwt: string, nowMs: number): Promise<Verified | undefined> {
  const expiresAtMs = await verifyAdminJwt(jwt, snapshot, nowMs);
  return expiresAtMs === undefined ? undefined : { principal: { kind: 'admin' }, expiresAtMs };
}

function withPermission(principal: Identified, wanted: keyof typeof PERMISSION): Principal {
  if (principal.kind === 'admin' || (principal.permission & PERMISSION[wanted]) !== 0) return principal;
  const reason = `This access token has no ${wanted} permission; it has ${formatPermission(principal.permission)}`;
  throw new ServiceError('forbidden', { reason });
}

function asAdmin(principal: Identified): Principal {
  if (principal.kind === 'admin') return principal;
  throw new ServiceError('forbidden', { reason: "Only the admin's JWT from POST /auth/admin/login can do this, not an access token" });
}
