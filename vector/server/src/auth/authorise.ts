/** Who is calling, and may they? Runs on every serving thread, against that thread's latest snapshot. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Requirement, ServiceError } from '@sextant/contracts-vector';
import { hashSecret } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { verifyAdminJwt } from './admin-jwt.ts';
import { type AuthSnapshot, type Caller, PERMISSION, type Principal } from './auth.ts';
import { formatPermission } from './permission.ts';
import { TOKEN_PREFIX } from './token-secret.ts';

/** The caller's principal, or a `ServiceError`: `unauthorized` without a valid credential, `forbidden` with one that does not suffice. */
export type Authorise = (snapshot: AuthSnapshot, caller: Caller, requirement: Requirement) => Promise<Principal>;

export const TOKENS_NEED_ENFORCEMENT = 'API key management API requires auth_enabled=true';
export const THIS_MACHINE_ONLY = 'This endpoint can only be called from the machine that the server runs on';

const ANONYMOUS: Principal = { kind: 'anonymous' };
/** Longer than any credential of ours; what is longer is not worth hashing. */
const CREDENTIAL_LENGTH_MAX = 4096;
/** Verified JWTs that a thread remembers; there is one admin, with a few sessions an hour. */
const VERIFIED_MAX = 1000;

export function createAuthoriser({ clock }: { readonly clock: Clock }): Authorise {
  const identify = createIdentifier(clock);

  return async (snapshot, caller, requirement) => {
    const isOpen = !snapshot.enforced;
    switch (requirement) {
      case 'none':
        return ANONYMOUS;
      case 'read':
      case 'write':
      case 'admin':
        return isOpen ? ANONYMOUS : withPermission(await identify(snapshot, caller), requirement);
      case 'admin_jwt':
        return asAdmin(await identify(snapshot, caller));
      case 'tokens':
        if (isOpen) throw new ServiceError('forbidden', { reason: TOKENS_NEED_ENFORCEMENT });
        return withPermission(await identify(snapshot, caller), 'admin');
      case 'create_admin':
      case 'reset_password': {
        if (!caller.loopback) throw new ServiceError('forbidden', { reason: THIS_MACHINE_ONLY });
        const isFirstAdmin = requirement === 'create_admin' && !snapshot.adminExists;
        return isOpen || isFirstAdmin ? ANONYMOUS : withPermission(await identify(snapshot, caller), 'admin');
      }
    }
  };
}

type Identified = Exclude<Principal, { kind: 'anonymous' }>;

function createIdentifier(clock: Clock): (snapshot: AuthSnapshot, caller: Caller) => Promise<Identified> {
  let current: { readonly snapshot: AuthSnapshot; readonly tokens: TokensByHash; readonly verified: Map<string, number> } | undefined;

  return async (snapshot, { credential }) => {
    if (credential === undefined || credential.length > CREDENTIAL_LENGTH_MAX) throw new ServiceError('unauthorized');
    // A new snapshot may have another key, password or token: nothing that was verified against the last one counts.
    if (current?.snapshot !== snapshot) current = { snapshot, tokens: tokensByHash(snapshot), verified: new Map() };
    const nowMs = clock.nowMs();
    if (credential.startsWith(TOKEN_PREFIX)) return identifyToken(current.tokens, credential, nowMs);
    const { verified } = current;
    const key = createHash('sha256').update(credential).digest('base64');
    const expiresAtMs = verified.get(key) ?? (await verifyAdminJwt(credential, snapshot, nowMs));
    if (expiresAtMs === undefined || expiresAtMs <= nowMs) throw new ServiceError('unauthorized');
    if (verified.size >= VERIFIED_MAX) verified.clear();
    verified.set(key, expiresAtMs);
    return { kind: 'admin' };
  };
}

type TokensByHash = ReadonlyMap<string, AuthSnapshot['tokens'][number]>;

function tokensByHash({ tokens }: AuthSnapshot): TokensByHash {
  return new Map(tokens.map((token) => [Buffer.from(token.secretHash).toString('base64'), token]));
}

/** The map finds the candidate by hash, of which a caller cannot choose a single bit; the comparison that decides takes constant time. */
function identifyToken(tokens: TokensByHash, secret: string, nowMs: number): Identified {
  const hash = hashSecret(secret);
  const token = tokens.get(hash.toString('base64'));
  if (token === undefined || !timingSafeEqual(token.secretHash, hash)) throw new ServiceError('unauthorized');
  if (token.expiresAtMs !== null && token.expiresAtMs <= nowMs) throw new ServiceError('unauthorized');
  return { kind: 'token', id: token.id, permission: token.permission };
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
