// SPDX-License-Identifier: Apache-2.0
/** Who is signed in at the observability service: what only members see, and their menu. */
import { Button, Menu, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useServices } from '../data/services/services.ts';
import { Dimmed } from '../ui/dimmed.tsx';
import { messageOf } from '../ui/error-panel.tsx';
import { SignIn } from '../widgets/sign-in.tsx';

/** What is behind it is shown to members of a tenant. */
export function MemberGate({ children }: { readonly children: ReactNode }) {
  const { memberState } = useServices();
  switch (memberState.kind) {
    case 'resuming':
      return <Skeleton height={240} />;
    case 'out':
      return <SignIn why={memberState.why} />;
    case 'in':
      return children;
  }
}

/** Who is signed in at the observability service, and the way out. */
export function MemberMenu() {
  const { memberState, signOut } = useServices();
  const leaving = useMutation({
    mutationFn: signOut,
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: 'The service did not receive your sign-out',
        message: `${messageOf(error)}. On a shared machine, sign in and out again.`,
        autoClose: false,
      }),
  });
  if (memberState.kind !== 'in') return null;
  const { member, outlivesPage } = memberState;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconUser size={16} stroke={1.6} />}>
          {member.tenant}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{member.username}</Menu.Label>
        {!outlivesPage && (
          <Dimmed size="xs" px="sm" pb="xs" maw={240}>
            You stay signed in until this page is reloaded, because OBSERVABILITY_PUBLIC_URL is not set.
          </Dimmed>
        )}
        <Menu.Item leftSection={<IconLogout size={14} />} onClick={() => leaving.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
