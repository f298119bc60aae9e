// SPDX-License-Identifier: Apache-2.0
import { Badge, Button, Group, Menu, Table, Text } from '@mantine/core';
import type { Connection } from '@sextant/sdk';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { kindText } from '../../data/assets/asset-rows.ts';
import { assetList, projectList } from '../../data/assets/queries.ts';
import { connectionList, deleteConnection, refreshConnections, testConnection } from '../../data/connections.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ACTIONS, DataTable, right } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { messageOf } from '../../ui/error-panel.tsx';
import { ListPart } from '../../ui/list-frame.tsx';
import { BrowseItems } from './browse-items.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { kindOf } from './connection-kinds.ts';

type Open = { readonly kind: 'new' } | { readonly kind: 'edit' | 'delete' | 'browse'; readonly connection: Connection };

/** The sources that data are read from. */
export function ConnectionsScreen() {
  const { observability } = useServices();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const connections = useQuery(connectionList(observability));
  const create = (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setOpen({ kind: 'new' })}>
      New connection
    </Button>
  );
  return (
    <ListPart
      title="Connections"
      purpose="Where data are read: databases, object stores, directories and vector services."
      query={connections}
      doing="list the connections"
      create={create}
      empty={{
        title: 'No connection yet',
        text: 'A connection holds the address and credential of a source. You can then register its tables and files as assets.',
      }}
      after={
        <>
          {' '}
          {open?.kind === 'new' && <ConnectionForm onClose={close} />}
          {open?.kind === 'edit' && <ConnectionForm connection={open.connection} onClose={close} />}
          {open?.kind === 'browse' && <BrowseItems connection={open.connection} onClose={close} />}
          {open?.kind === 'delete' && (
            <Confirm
              title={`Delete ${open.connection.name}?`}
              verb="Delete"
              doing="delete the connection"
              act={async () => {
                await deleteConnection(observability, open.connection);
                await refreshConnections();
              }}
              onClose={close}
            >
              The stored credential is deleted too. A connection that assets or reports use cannot be deleted.
            </Confirm>
          )}
        </>
      }
    >
      {(listed) => <ConnectionTable connections={listed} onOpen={setOpen} />}
    </ListPart>
  );
}

type ConnectionTableProps = { readonly connections: readonly Connection[]; readonly onOpen: (open: Open) => void };

function ConnectionTable({ connections, onOpen }: ConnectionTableProps) {
  const { observability } = useServices();
  const projects = useQuery(projectList(observability)).data ?? [];
  const assets = useQuery(assetList(observability)).data;
  return (
    <DataTable
      highlightOnHover
      headings={[
        'Name',
        { label: 'To', visibleFrom: 'sm' },
        { label: 'For', visibleFrom: 'sm' },
        { ...right('Assets'), visibleFrom: 'sm' },
        ACTIONS,
      ]}
    >
      {connections.map((connection) => {
        const kind = kindText(connection.type);
        const place =
          connection.scope === 'GLOBAL'
            ? 'all projects'
            : (projects.find(({ id }) => id === connection.project_id)?.name ?? String(connection.project_id));
        return (
          <Table.Tr key={connection.id}>
            <Table.Td fw={500} style={{ overflowWrap: 'anywhere' }}>
              {connection.name}
              <Dimmed size="xs" hiddenFrom="sm">
                {kind}, for {place}
              </Dimmed>
            </Table.Td>
            <Table.Td visibleFrom="sm">{kind}</Table.Td>
            <Table.Td visibleFrom="sm">{place}</Table.Td>
            <Table.Td visibleFrom="sm" ta="right">
              {assets?.filter(({ connection_id: id }) => id === connection.id).length ?? ''}
            </Table.Td>
            <Table.Td>
              <ConnectionActions connection={connection} onOpen={onOpen} />
            </Table.Td>
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}

function ConnectionActions({ connection, onOpen }: { readonly connection: Connection; readonly onOpen: (open: Open) => void }) {
  const { observability } = useServices();
  const trial = useMutation({ mutationFn: () => testConnection(observability, connection) });
  if (kindOf(connection) === undefined) {
    return (
      <Group gap={6} justify="end">
        <Dimmed size="xs">stored, but not supported by this release</Dimmed>
        <Button size="compact-xs" variant="default" onClick={() => onOpen({ kind: 'delete', connection })}>
          Delete
        </Button>
      </Group>
    );
  }
  return (
    <Group gap={6} justify="end">
      {trial.data?.success === true && (
        <Badge variant="light" color="teal" role="status">
          reached
        </Badge>
      )}
      {(trial.data?.success === false || trial.isError) && (
        <Text size="xs" c="red" role="alert" maw={320}>
          {trial.data?.message ?? messageOf(trial.error)}
        </Text>
      )}
      <Button size="compact-xs" variant="default" onClick={() => onOpen({ kind: 'browse', connection })}>
        Browse
      </Button>
      <Button size="compact-xs" variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
        Test
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="compact-xs" variant="default" aria-label={`More of ${connection.name}`}>
            …
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onOpen({ kind: 'edit', connection })}>Change</Menu.Item>
          <Menu.Item color="red" onClick={() => onOpen({ kind: 'delete', connection })}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
