// SPDX-License-Identifier: Apache-2.0
import { Button, Skeleton, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useIsServed } from '../../data/collections/capabilities.ts';
import { collectionInfo, collectionNames, collectionStatus, vectorFields, vectorText } from '../../data/collections/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { DataTable, right } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { bytesText, countText } from '../../ui/figures.ts';
import { ListFrame } from '../../ui/list-frame.tsx';
import { Page } from '../../ui/page.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { IndexedShare, StatusBadge } from './collection-status.tsx';

/** The first screen loads without it. */
const CreateCollection = lazy(async () => ({ default: (await import('./create-collection.tsx')).CreateCollection }));

export function CollectionsScreen() {
  const { vector } = useServices();
  const [isCreating, { open, close }] = useDisclosure(false);
  const names = useQuery(collectionNames(vector));
  const create = (
    <Button leftSection={<IconPlus size={14} />} onClick={open}>
      New collection
    </Button>
  );
  return (
    <Page title="Collections" actions={create}>
      <ListFrame
        query={names}
        doing="list the collections"
        skeletonPx={160}
        empty={
          <EmptyState title="No collection yet" action={create} command="npm run demo:vector">
            A collection holds points: vectors with the same size and distance, each with a payload. Create one here or over the API, or run
            the demo.
          </EmptyState>
        }
      >
        {(listed) => <CollectionTable names={listed} />}
      </ListFrame>
      <Suspense>{isCreating && <CreateCollection onClose={close} />}</Suspense>
    </Page>
  );
}

function CollectionTable({ names }: { readonly names: readonly string[] }) {
  const { vector } = useServices();
  const infos = useQueries({ queries: names.map((name) => collectionInfo(vector, name)) });
  const hasMemory = useIsServed('status') === true;
  const statuses = useQueries({ queries: names.map((name) => collectionStatus(vector, name, hasMemory)) });
  return (
    <DataTable
      minWidth={640}
      highlightOnHover
      headings={['Name', 'Status', right('Points'), 'In the graph', hasMemory && right('Memory'), 'Vectors']}
    >
      {names.map((name, i) => {
        const info = infos[i]?.data;
        const memory = statuses[i]?.data?.memory_bytes;
        const fields = info === undefined ? [] : vectorFields(info);
        return (
          <Table.Tr key={name}>
            <Table.Td>
              <TextLink to={`/collections/${encodeURIComponent(name)}`} fw={500} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </TextLink>
            </Table.Td>
            <Table.Td>{info === undefined ? <Skeleton height={16} width={60} /> : <StatusBadge status={info.status} />}</Table.Td>
            <Table.Td ta="right">{info === undefined ? '' : countText(info.points_count)}</Table.Td>
            <Table.Td>
              {info !== undefined && <IndexedShare info={info} vectors={fields.filter(({ kind }) => kind === 'dense').length} />}
            </Table.Td>
            {hasMemory && <Table.Td ta="right">{memory === undefined ? '' : bytesText(memory)}</Table.Td>}
            <Table.Td>{fields.map(vectorText).join(', ')}</Table.Td>
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}
