// SPDX-License-Identifier: Apache-2.0
/**
 * From a credential to who it is. The store is asked with every request, so that a deleted key, a removed user, a changed password and a
 * smaller role count at once, on every process.
 */
import { timingSafeEqual } from 'node:crypto';
import { hashSecret } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { Metadata } from '@sextant/observability-metadata';
import { verifyAccessToken } from './access-token.ts';
import type { Credential } from './credential.ts';
import type { OutsideClaims, OutsideIssuer } from './outside-issuer.ts';
import type { Member, Principal } from './principal.ts';
import { ROLES } from './roles.ts';

export type IdentifierOptions = {
  readonly metadata: Metadata;
  readonly signingKey: Uint8Array;
  readonly platformToken: string;
  readonly outsideIssuer: OutsideIssuer | undefined;
  readonly clock: Clock;
};

/** Who a credential belongs to, or undefined when it is not valid. `tenantId` is the tenant of the path, if it has one. */
export type Identify = (credential: Credential, tenantId: string | undefined) => Promise<Principal | undefined>;

/** `stranger` stands for a valid credential without a place in any tenant. */
const STRANGER: Principal = { kind: 'stranger' };

export function createIdentifier({ metadata, signingKey, platformToken, outsideIssuer, clock }: IdentifierOptions): Identify {
  const platformHash = hashSecret(platformToken);
  return async (credential, tenantId) => {
    if (credential.kind === 'api_key') return apiKeyMember(metadata, credential.key);
    const { token } = credential;
    if (timingSafeEqual(hashSecret(token), platformHash)) return { kind: 'platform' };
    const nowMs = clock.nowMs();
    if (outsideIssuer?.claims(token) === true) {
      const claims = await outsideIssuer.verify(token, nowMs);
      return claims === undefined ? undefined : outsideMember(metadata, claims, tenantId);
    }
    const claims = await verifyAccessToken(token, { signingKey, nowMs });
    if (claims === undefined) return undefined;
    const account = await metadata.forTenant(claims.tenantId).users.find(claims.userId);
    if (account === undefined || account.password_version !== claims.passwordVersion) return undefined;
    return userMember(claims.tenantId, account);
  };
}

type UserFacts = Pick<Member, 'id' | 'role'> & { readonly email: string; readonly project_roles: Member['projectRoles'] };

function userMember(tenantId: string, { id, email, role, project_roles }: UserFacts): Member {
  return { kind: 'user', tenantId, id, name: email, creatorId: id, role, projectRoles: project_roles };
}

/** A key may do what it was made for, and never more than whoever made it may do now. */
async function apiKeyMember(metadata: Metadata, secret: string): Promise<Member | undefined> {
  const key = await metadata.platform.credentials.findApiKey(hashSecret(secret).toString('hex'));
  if (key === undefined) return undefined;
  const { id, name, tenant_id: tenantId, creator_id: creatorId } = key;
  const member = { kind: 'api_key', tenantId, id, name, creatorId, role: key.role, projectRoles: {} } as const;
  if (key.creator_id === null) return member;
  const creator = await metadata.forTenant(key.tenant_id).users.find(key.creator_id);
  if (creator === undefined) return undefined;
  const role = ROLES.findLast((each) => each === key.role || each === creator.role) ?? 'viewer';
  return { ...member, role, projectRoles: creator.project_roles };
}

async function outsideMember(
  metadata: Metadata,
  { subject, email, place }: OutsideClaims,
  tenantId: string | undefined,
): Promise<Principal> {
  if (place !== undefined) {
    const name = email ?? subject;
    return { kind: 'outside', tenantId: place.tenantId, id: subject, name, creatorId: null, role: place.role, projectRoles: {} };
  }
  if (email === undefined || tenantId === undefined) return STRANGER;
  const account = await metadata.forTenant(tenantId).users.findByEmail(email);
  return account === undefined ? STRANGER : userMember(tenantId, account);
}
