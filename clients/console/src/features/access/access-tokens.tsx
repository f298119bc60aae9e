// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { IssuedAccessToken } from '@sextant/sdk';
import { IconPlus, IconRotate, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accessTokens, enforced, refreshAccessTokens } from '../../data/access.ts';
import { useServices } from '../../data/services/services.ts';
import { ACTIONS, DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { Section } from '../../ui/section.tsx';
import { Moment } from '../../ui/time.tsx';
import { CreateToken } from './create-token.tsx';

/** The tokens of programs. A secret is shown once, when its token is made or rotated. */
export function AccessTokens() {
  const { vector } = useServices();
  const isEnforced = useQuery(enforced(vector)).data;
  const [isCreating, { open, close }] = useDisclosure(false);
  const [made, setMade] = useState<IssuedAccessToken>();
  const tokens = useQuery({ ...accessTokens(vector), enabled: isEnforced === true });
  const deletion = useMutation({ mutationFn: (id: number) => vector.deleteAccessToken(id), onSuccess: refreshAccessTokens });
  const rotation = useMutation({
    mutationFn: (id: number) => vector.rotateAccessToken(id),
    onSuccess: async (token) => {
      setMade(token);
      await refreshAccessTokens();
    },
  });
  const create = (
    <Button leftSection={<IconPlus size={14} />} onClick={open}>
      New token
    </Button>
  );
  return (
    <Section
      id="tokens"
      title="Access tokens"
      beside={isEnforced === true && tokens.data !== undefined && tokens.data.length > 0 && create}
    >
      {isEnforced === false && (
        <EmptyState title="Tokens are not checked while enforcement is off">
          When enforcement is on, programs need a token that the admin creates here.
        </EmptyState>
      )}
      {tokens.isError && <ErrorPanel error={tokens.error} doing="list the tokens" onRetry={() => void tokens.refetch()} />}
      {deletion.isError && <ErrorPanel error={deletion.error} doing="delete the token" />}
      {rotation.isError && <ErrorPanel error={rotation.error} doing="rotate the token" />}
      {isEnforced === true && tokens.data?.length === 0 && (
        <EmptyState title="No token yet" action={create}>
          A token gives a program access to read, to write or to administer the service.
        </EmptyState>
      )}
      {isEnforced === true && tokens.data !== undefined && tokens.data.length > 0 && (
        <DataTable minWidth={560} highlightOnHover headings={['Name', 'May', 'Collections', 'Made', 'Expires', { ...ACTIONS, w: 80 }]}>
          {tokens.data.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Td>
                {token.name}
                {token.description !== null && <Dimmed size="xs">{token.description}</Dimmed>}
              </Table.Td>
              <Table.Td>{token.permission}</Table.Td>
              <Table.Td>{token.collections?.join(', ') ?? 'all'}</Table.Td>
              <Table.Td>
                <Moment at={token.created_at} />
              </Table.Td>
              <Table.Td>{token.expired_at === null ? 'never' : <Moment at={token.expired_at} />}</Table.Td>
              <Table.Td>
                <Group gap={4} wrap="nowrap">
                  <IconButton label={`Rotate the secret of ${token.name}`} icon={IconRotate} onClick={() => rotation.mutate(token.id)} />
                  <IconButton label={`Delete ${token.name}`} icon={IconTrash} onClick={() => deletion.mutate(token.id)} />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
      {isCreating && (
        <CreateToken
          onClose={close}
          onMade={async (token) => {
            close();
            setMade(token);
            await refreshAccessTokens();
          }}
        />
      )}
      {made !== undefined && <SecretOnce title={`Secret of ${made.name}`} secret={made.api_key} onClose={() => setMade(undefined)} />}
    </Section>
  );
}
