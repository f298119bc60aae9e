// SPDX-License-Identifier: Apache-2.0
/** The users of the tenant, and what the one who is signed in may do. The service decides; screens ask here what it would refuse. */
import type { ObservabilityClient, User } from '@sextant/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Member } from './services/member-session.ts';
import { queryClient } from './services/query-client.ts';
import { useServices } from './services/services.ts';

const USERS_KEY = ['observability', 'users'];
const OWN_USER_KEY = ['observability', 'own-user'];
const STILL_MS = 60_000;

export type Role = User['role'];

/** From most to least; each may do what those after it may. */
const ROLES: readonly Role[] = ['admin', 'editor', 'operator', 'viewer'];

/** The member's own user. A refusal asks for it again, for the role may have changed. */
export function ownUser(client: ObservabilityClient, { username }: Member) {
  return queryOptions({
    queryKey: [...OWN_USER_KEY, username],
    queryFn: ({ signal }) => client.getUser({ user_email: username }, { signal }),
    staleTime: STILL_MS,
  });
}

export function useOwnUser() {
  const { observability, member } = useServices();
  return useQuery({ ...ownUser(observability, member ?? { tenant: '', username: '' }), enabled: member !== undefined });
}

function includesRole(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(wanted);
}

/** Why the member may not do what needs a role in the tenant, or in a project if one is named; undefined if the member may. */
export function useRefusal(wanted: Role, projectId?: number): string | undefined {
  const user = useOwnUser().data;
  if (user === undefined || includesRole(user.role, wanted)) return undefined;
  const inProject = projectId === undefined ? undefined : user.project_roles[projectId];
  if (inProject !== undefined && includesRole(inProject, wanted)) return undefined;
  return `Needs the role ${wanted}; yours is ${user.role}.`;
}

export const ROLE_CHOICES: readonly { readonly value: User['role']; readonly label: string }[] = [
  { value: 'viewer', label: 'viewer: reads' },
  { value: 'operator', label: 'operator: also runs scans and works on incidents' },
  { value: 'editor', label: 'editor: also changes assets, monitors and channels' },
  { value: 'admin', label: 'admin: everything' },
];

export function allUsers(client: ObservabilityClient) {
  return queryOptions({ queryKey: USERS_KEY, queryFn: ({ signal }) => client.listUsers({ signal }) });
}

export function isRole(word: string | null): word is User['role'] {
  return ROLE_CHOICES.some(({ value }) => value === word);
}

/** As people say it: the name where there is one. */
export function userName({ email, first_name, last_name }: Pick<User, 'email' | 'first_name' | 'last_name'>): string {
  return `${first_name} ${last_name}`.trim() || email;
}

/** The addresses of all users; undefined to those who may not know them. */
export function useUserEmails(): readonly string[] | undefined {
  const { observability } = useServices();
  const isAdmin = useOwnUser().data?.role === 'admin';
  const users = useQuery({ ...allUsers(observability), staleTime: STILL_MS, enabled: isAdmin });
  return users.data?.map(({ email }) => email);
}

export async function refreshUsers(): Promise<void> {
  await Promise.all([USERS_KEY, OWN_USER_KEY].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
