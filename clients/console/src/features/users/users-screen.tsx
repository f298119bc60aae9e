// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Badge, Button, Menu, Stack, Table } from '@mantine/core';
import type { User } from '@sextant/sdk';
import { IconDots, IconKey, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useServices } from '../../data/services/services.ts';
import { allUsers, refreshUsers, useRefusal, userName } from '../../data/users.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ACTIONS, DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ListPart } from '../../ui/list-frame.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { CreateUser } from './create-user.tsx';
import { EditUser } from './edit-user.tsx';
import { OwnAccount } from './own-account.tsx';

/** Who is in the tenant, for its admins; everybody's own password. */
export function UsersScreen() {
  const refusal = useRefusal('admin');
  return (
    <Stack gap="xl">
      {refusal === undefined && <UserList />}
      <OwnAccount listRefusal={refusal} />
    </Stack>
  );
}

type Doing = { readonly kind: 'edit' | 'password' | 'delete'; readonly user: User } | { readonly kind: 'create' };
type Password = { readonly email: string; readonly password: string };

export function UserList() {
  const { observability, member } = useServices();
  const users = useQuery(allUsers(observability));
  const [doing, setDoing] = useState<Doing>();
  const [made, setMade] = useState<Password>();
  const close = () => setDoing(undefined);
  return (
    <ListPart
      title="Users"
      purpose="A user has the permissions of the role in the tenant and, within a project, those of the role in that project."
      query={users}
      doing="list the users"
      skeletonPx={160}
      create={
        <Button leftSection={<IconPlus size={14} />} onClick={() => setDoing({ kind: 'create' })}>
          New user
        </Button>
      }
      empty={{ title: 'No user' }}
      after={
        <>
          {' '}
          {doing?.kind === 'create' && (
            <CreateUser
              onClose={close}
              onMade={async (password) => {
                close();
                setMade(password);
                await refreshUsers();
              }}
            />
          )}
          {doing?.kind === 'edit' && (
            <EditUser
              user={doing.user}
              onClose={close}
              onSaved={async () => {
                close();
                await refreshUsers();
              }}
            />
          )}
          {doing?.kind === 'password' && (
            <Confirm
              title={`Generate a new password for ${doing.user.email}?`}
              verb="Generate password"
              doing="replace the password"
              act={async () => {
                const { email } = doing.user;
                const { password } = await observability.resetPassword({ user_email: email });
                if (password !== undefined) setMade({ email, password });
              }}
              onClose={close}
            >
              The service generates the password and shows it once. The old password stops working, and all sessions of the user end now
              {isMember(doing.user, member?.username) && ', including yours'}.
            </Confirm>
          )}
          {doing?.kind === 'delete' && (
            <Confirm
              title={`Delete ${doing.user.email}?`}
              verb="Delete"
              doing="delete the user"
              act={async () => {
                await observability.deleteUser({ user_email: doing.user.email });
                await refreshUsers();
              }}
              onClose={close}
            >
              All sessions of the user end now, and programs with API keys of the user are refused from their next request on.
            </Confirm>
          )}
          {made !== undefined && (
            <SecretOnce title={`Password of ${made.email}`} secret={made.password} onClose={() => setMade(undefined)} />
          )}
        </>
      }
    >
      {(listed) => (
        <DataTable highlightOnHover headings={['User', 'Role', { label: 'In projects', visibleFrom: 'sm' }, { ...ACTIONS, w: 48 }]}>
          {listed.map((user) => (
            <Table.Tr key={user.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {userName(user)}
                {isMember(user, member?.username) && (
                  <Badge variant="default" ml="xs">
                    you
                  </Badge>
                )}
                {userName(user) !== user.email && <Dimmed size="xs">{user.email}</Dimmed>}
              </Table.Td>
              <Table.Td>{user.role}</Table.Td>
              <Table.Td visibleFrom="sm">{projectsText(user)}</Table.Td>
              <Table.Td>
                <Menu position="bottom-end">
                  <Menu.Target>
                    <ActionIcon size="sm" aria-label={`Actions for ${user.email}`}>
                      <IconDots size={16} />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setDoing({ kind: 'edit', user })}>
                      Name and roles
                    </Menu.Item>
                    <Menu.Item leftSection={<IconKey size={14} />} onClick={() => setDoing({ kind: 'password', user })}>
                      New password
                    </Menu.Item>
                    <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={() => setDoing({ kind: 'delete', user })}>
                      Delete
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </ListPart>
  );
}

function isMember({ email }: User, username: string | undefined): boolean {
  return email.toLowerCase() === username?.toLowerCase();
}

function projectsText({ role, project_roles }: User): string {
  if (role === 'admin') return 'all';
  const count = Object.keys(project_roles).length;
  return count === 0 ? '' : `a role in ${count}`;
}
