import { Button, Menu } from '@mantine/core';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { useServices } from '../../app/services.tsx';

/** Who is signed in at the observability service, and the way out. */
export function MemberMenu() {
  const { member, signOut } = useServices();
  if (member === undefined) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconUser size={16} stroke={1.6} />}>
          {member.tenant}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{member.username}</Menu.Label>
        <Menu.Item leftSection={<IconLogout size={14} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
