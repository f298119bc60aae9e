// SPDX-License-Identifier: Apache-2.0
import { Button, Code, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ApiKey, NewApiKey } from '@sextant/sdk';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiKeys, refreshApiKeys } from '../../data/api-keys.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ACTIONS, DataTable } from '../../ui/data-table.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ListPart } from '../../ui/list-frame.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { CreateApiKey } from './create-api-key.tsx';

/** The keys of programs. A secret is shown once, when its key is made. */
export function ApiKeysScreen() {
  const { observability } = useServices();
  const [isCreating, { open, close }] = useDisclosure(false);
  const [made, setMade] = useState<NewApiKey>();
  const [leaving, setLeaving] = useState<ApiKey>();
  const listed = useQuery(apiKeys(observability));
  const create = (
    <Button leftSection={<IconPlus size={14} />} onClick={open}>
      New API key
    </Button>
  );
  return (
    <ListPart
      title="API keys"
      purpose={
        <>
          A program that sends a key in the header <Code>X-TLM-Key</Code> has the permissions of the user who created the key.
        </>
      }
      query={listed}
      doing="list the API keys"
      create={create}
      empty={{ title: 'No API key yet', text: 'A pipeline needs a key to upload data, start scans and read their results.' }}
      after={
        <>
          {' '}
          {isCreating && (
            <CreateApiKey
              onClose={close}
              onMade={async (key) => {
                close();
                setMade(key);
                await refreshApiKeys();
              }}
            />
          )}
          {made !== undefined && <SecretOnce title={`Secret of ${made.name}`} secret={made.key} onClose={() => setMade(undefined)} />}
          {leaving !== undefined && (
            <Confirm
              title={`Delete ${leaving.name}?`}
              verb="Delete"
              doing="delete the API key"
              act={async () => {
                await observability.deleteApiKey({ key_id: leaving.id });
                await refreshApiKeys();
              }}
              onClose={() => setLeaving(undefined)}
            >
              Programs that use this key are refused from their next request on. This cannot be undone; a new key has another secret.
            </Confirm>
          )}
        </>
      }
    >
      {(keys) => (
        <DataTable highlightOnHover headings={['Name', { label: 'Id', visibleFrom: 'sm' }, { ...ACTIONS, w: 48 }]}>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{key.name}</Table.Td>
              <Table.Td visibleFrom="sm">
                <Code>{key.id}</Code>
              </Table.Td>
              <Table.Td>
                <IconButton label={`Delete ${key.name}`} icon={IconTrash} onClick={() => setLeaving(key)} />
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </ListPart>
  );
}
