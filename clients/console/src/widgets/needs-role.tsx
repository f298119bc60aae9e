// SPDX-License-Identifier: Apache-2.0
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Role, useOwnUser, useRefusal } from '../data/users.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';

type NeedsRoleProps = { readonly atLeast: Role; readonly children: ReactNode };

/** Shows what is behind it to those whose role suffices, and to others who could help. */
export function NeedsRole({ atLeast, children }: NeedsRoleProps) {
  const own = useOwnUser();
  const refusal = useRefusal(atLeast);
  if (own.isPending) return <Skeleton height={160} />;
  if (own.isError) return <ErrorPanel error={own.error} doing="read what you may do" onRetry={() => void own.refetch()} />;
  if (refusal === undefined) return children;
  return <EmptyState title={`This part needs the role ${atLeast}`}>{refusal} An admin of the tenant can give you another role.</EmptyState>;
}
