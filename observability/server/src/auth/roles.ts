// SPDX-License-Identifier: Apache-2.0
/** What a role may do: everything that the roles after it may. */
import type { Role } from '@sextant/contracts-observability';
import type { Member } from './principal.ts';

export const ROLES: readonly Role[] = ['admin', 'editor', 'operator', 'viewer'];

export function includesRole(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(wanted);
}

export function isRole(word: unknown): word is Role {
  return ROLES.some((role) => role === word);
}

/** Whether a member may do what needs `wanted`: by its role in the tenant, or by its role in the project that the thing belongs to. */
export function mayDo(member: Pick<Member, 'role' | 'projectRoles'>, wanted: Role, projectId?: number): boolean {
  if (includesRole(member.role, wanted)) return true;
  const own = projectId === undefined ? undefined : member.projectRoles[String(projectId)];
  return own !== undefined && includesRole(own, wanted);
}
