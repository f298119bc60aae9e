/** What the member who is signed in may do. The service decides; screens ask here so that nobody is offered what would be refused. */
import { Skeleton } from '@mantine/core';
import type { ObservabilityClient, User } from '@sextant/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Member } from '../data/services/member-session.ts';
import { useServices } from '../data/services/services.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';

export type Role = User['role'];

/** From most to least; each may do what those after it may. */
const ROLES: readonly Role[] = ['admin', 'editor', 'operator', 'viewer'];

/** The member's own user. A refusal asks for it again, for the role may have changed. */
export function ownUser(client: ObservabilityClient, { username }: Member) {
  return queryOptions({
    queryKey: ['observability', 'own-user', username],
    queryFn: ({ signal }) => client.getUser({ user_email: username }, { signal }),
    staleTime: 60_000,
  });
}

export function useOwnUser() {
  const { observability, member } = useServices();
  return useQuery({ ...ownUser(observability, member ?? { tenant: '', username: '' }), enabled: member !== undefined });
}

function includesRole(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(wanted);
}

/** Why the member may not do what needs a role in the tenant, or also in a project if one is named; undefined where nothing speaks against it. */
export function useRefusal(wanted: Role, projectId?: number): string | undefined {
  const user = useOwnUser().data;
  if (user === undefined || includesRole(user.role, wanted)) return undefined;
  const inProject = projectId === undefined ? undefined : user.project_roles[projectId];
  if (inProject !== undefined && includesRole(inProject, wanted)) return undefined;
  return `Needs the role ${wanted}; yours is ${user.role}.`;
}

type NeedsRoleProps = { readonly atLeast: Role; readonly children: ReactNode };

/** Shows what is behind it to those whose role suffices, and to others who could help. */
export function NeedsRole({ atLeast, children }: NeedsRoleProps) {
  const own = useOwnUser();
  const refusal = useRefusal(atLeast);
  if (own.isPending) return <Skeleton height={160} />;
  if (own.isError) return <ErrorPanel error={own.error} doing="read what you may do" onRetry={() => void own.refetch()} />;
  if (refusal === undefined) return children;
  return <EmptyState title={`This part is for the role ${atLeast}`}>{refusal} An admin of the tenant can give you another one.</EmptyState>;
}
