// SPDX-License-Identifier: Apache-2.0
/**
 * May this caller do that? 401 without a valid credential, 404 for a tenant that is not there, 403 without a role in it or with too small a
 * one. In this order, so that nobody learns which tenants there are without a credential.
 */
import { ApiError, type Requirement, type Role } from '@sextant/contracts-observability';
import type { Metadata, TenantMetadata } from '@sextant/observability-metadata';
import type { FastifyRequest } from 'fastify';
import { credentialOf } from '../auth/credential.ts';
import type { Identify } from '../auth/identify.ts';
import type { Member, Principal } from '../auth/principal.ts';
import { includesRole, mayDo } from '../auth/roles.ts';
import { numericId } from '../operations/parameters.ts';

export type Texts = { readonly [name: string]: string };

/** The member that calls, for what is done within a tenant; undefined for what is not. */
export type Authorise = (request: FastifyRequest, needs: Requirement) => Promise<Member | undefined>;

export function createAuthoriser({ metadata, identify }: { readonly metadata: Metadata; readonly identify: Identify }): Authorise {
  return async (request, needs) => {
    if (needs.scope === 'public') return undefined;
    // The router gives decoded text for each parameter of the path.
    const params = request.params as Texts;
    const principal = await principalOf(request, params.tenant, identify);
    if (needs.scope === 'platform') {
      if (principal.kind !== 'platform') throw new ApiError('platform_only');
      return undefined;
    }
    const member = await memberOf(metadata, principal, params.tenant ?? '');
    await requireRole(metadata.forTenant(member.tenantId), member, needs, params);
    return member;
  };
}

async function principalOf(request: FastifyRequest, tenantId: string | undefined, identify: Identify): Promise<Principal> {
  const credential = credentialOf(request.headers);
  const principal = credential === undefined ? undefined : await identify(credential, tenantId);
  if (principal === undefined) throw new ApiError('unauthorized');
  return principal;
}

async function memberOf(metadata: Metadata, principal: Principal, tenantId: string): Promise<Member> {
  if ((await metadata.platform.tenants.find(tenantId)) === undefined) throw new ApiError('tenant_not_found', { tenant: tenantId });
  const isMember = principal.kind !== 'platform' && principal.kind !== 'stranger' && principal.tenantId === tenantId;
  if (!isMember) throw new ApiError('no_role', { tenant: tenantId });
  return principal;
}

type ProjectRequirement = Extract<Requirement, { scope: 'project' }>;
type TenantRequirement = Exclude<Requirement, { scope: 'public' | 'platform' }>;

async function requireRole(tenant: TenantMetadata, member: Member, needs: TenantRequirement, params: Texts): Promise<void> {
  switch (needs.scope) {
    case 'self': {
      const isSelf = member.kind === 'user' && member.name.toLowerCase() === params.user_email?.toLowerCase();
      if (!isSelf) requireTenantRole(member, 'admin');
      return;
    }
    case 'tenant':
      requireTenantRole(member, needs.role);
      return;
    case 'projects': {
      const own = Object.keys(member.projectRoles).map(Number);
      if (![undefined, ...own].some((project) => mayDo(member, needs.role, project))) refuse(member, needs.role);
      return;
    }
    case 'project': {
      if (includesRole(member.role, needs.role)) return;
      // Whoever has no role in any project is refused before anything is looked up.
      if (Object.keys(member.projectRoles).length === 0) refuse(member, needs.role);
      if (!mayDo(member, needs.role, await projectOf(tenant, needs.of, params))) refuse(member, needs.role);
    }
  }
}

function requireTenantRole(member: Member, role: Role): void {
  if (!includesRole(member.role, role)) refuse(member, role);
}

function refuse(member: Member, needed: Role): never {
  throw new ApiError('role_too_small', { needed, role: member.role });
}

/** The project that a thing of the path belongs to. @throws MetadataMissing where there is no such thing */
async function projectOf(tenant: TenantMetadata, of: ProjectRequirement['of'], params: Texts): Promise<number> {
  const id = params[of] ?? '';
  switch (of) {
    case 'project_id':
      return Number(id);
    case 'asset_id':
      return (await tenant.assets.get(id)).project_id;
    case 'job_id':
      return (await tenant.assets.get((await tenant.jobs.get(id)).asset_id)).project_id;
    case 'incident_id':
      return (await tenant.incidents.get(numericId('Incident', id))).project_id;
  }
}
