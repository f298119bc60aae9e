// SPDX-License-Identifier: Apache-2.0
import { Button, FileButton, Group, Skeleton, Table } from '@mantine/core';
import { IconDownload, IconRestore, IconTrash, IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useIsServed } from '../../data/collections/capabilities.ts';
import { collectionSnapshots, refreshSnapshots } from '../../data/collections/queries.ts';
import { queryClient, VECTOR_KEY } from '../../data/services/query-client.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ACTIONS, DataTable, right } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { bytesText } from '../../ui/figures.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Section } from '../../ui/section.tsx';
import { Moment } from '../../ui/time.tsx';

type Asked = { readonly kind: 'delete' | 'restore'; readonly snapshot: string } | { readonly kind: 'upload'; readonly file: File };

/** Copies of the collection on the service's disk: made, downloaded, put back, deleted. */
export function Snapshots({ name }: { readonly name: string }) {
  const { vector } = useServices();
  const { snapshots } = vector.collection(name);
  const [asked, setAsked] = useState<Asked>();
  const isServed = useIsServed('snapshots');
  const canRestore = useIsServed('recovery') === true;
  const list = useQuery({ ...collectionSnapshots(vector, name), enabled: isServed === true });
  const refresh = () => refreshSnapshots(name);
  const creation = useMutation({ mutationFn: () => snapshots.create({ timeoutMs: 0 }), onSuccess: refresh });
  const download = useMutation({
    mutationFn: async (snapshot: string) => saveAs(await new Response(await snapshots.download(snapshot)).blob(), snapshot),
  });
  const act = async (what: Asked) => {
    switch (what.kind) {
      case 'delete':
        await snapshots.delete(what.snapshot);
        return refresh();
      case 'restore':
        await snapshots.restore(what.snapshot, { timeoutMs: 0 });
        return queryClient.invalidateQueries({ queryKey: VECTOR_KEY });
      case 'upload':
        await snapshots.upload(what.file);
        return queryClient.invalidateQueries({ queryKey: VECTOR_KEY });
    }
  };
  return (
    <Section id="snapshots" title="Snapshots">
      {isServed !== false && list.isPending && <Skeleton height={60} />}
      {list.isError && <ErrorPanel error={list.error} doing="list the snapshots" onRetry={() => void list.refetch()} />}
      {isServed === false && (
        <Dimmed>Snapshots are switched off. Add “snapshots” to SERVICE_CAPABILITIES to create them, and “recovery” to restore them.</Dimmed>
      )}
      {list.data && (
        <>
          {list.data.length > 0 && (
            <DataTable minWidth={520} mb="xs" headings={['Name', 'Made', right('Size'), { ...ACTIONS, w: 104 }]}>
              {list.data.map((snapshot) => (
                <Table.Tr key={snapshot.name}>
                  <Table.Td ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                    {snapshot.name}
                  </Table.Td>
                  <Table.Td>
                    <Moment at={`${snapshot.creation_time}${snapshot.creation_time.endsWith('Z') ? '' : 'Z'}`} />
                  </Table.Td>
                  <Table.Td ta="right">{bytesText(snapshot.size)}</Table.Td>
                  <Table.Td>
                    <Group gap={4} wrap="nowrap">
                      <IconButton label={`Download ${snapshot.name}`} icon={IconDownload} onClick={() => download.mutate(snapshot.name)} />
                      {canRestore && (
                        <IconButton
                          label={`Restore ${snapshot.name}`}
                          icon={IconRestore}
                          onClick={() => setAsked({ kind: 'restore', snapshot: snapshot.name })}
                        />
                      )}
                      <IconButton
                        label={`Delete ${snapshot.name}`}
                        icon={IconTrash}
                        onClick={() => setAsked({ kind: 'delete', snapshot: snapshot.name })}
                      />
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </DataTable>
          )}
          {list.data.length === 0 && (
            <Dimmed mb="xs">
              No snapshots yet. A snapshot is one file with all data of the collection. Reads and writes continue while it is created.
            </Dimmed>
          )}
          <Group gap="xs">
            <Button variant="default" loading={creation.isPending} onClick={() => creation.mutate()}>
              Create snapshot
            </Button>
            {canRestore && (
              <FileButton onChange={(file) => file !== null && setAsked({ kind: 'upload', file })}>
                {(props) => (
                  <Button variant="default" leftSection={<IconUpload size={14} />} {...props}>
                    Restore from a file
                  </Button>
                )}
              </FileButton>
            )}
          </Group>
        </>
      )}
      {creation.isError && <ErrorPanel error={creation.error} doing="create the snapshot" />}
      {download.isError && <ErrorPanel error={download.error} doing="download the snapshot" />}
      {asked !== undefined && (
        <Confirm {...questionOf(asked, name)} act={() => act(asked)} onClose={() => setAsked(undefined)}>
          {asked.kind === 'delete'
            ? 'Deletes the file; the collection stays as it is.'
            : 'All writes since the snapshot are lost. The collection can be read and written until the file has been checked.'}
        </Confirm>
      )}
    </Section>
  );
}

function questionOf(asked: Asked, name: string) {
  switch (asked.kind) {
    case 'delete':
      return { title: `Delete the snapshot ${asked.snapshot}?`, verb: 'Delete', doing: 'delete the snapshot' };
    case 'restore':
      return { title: `Replace ${name} by ${asked.snapshot}?`, verb: 'Replace', doing: 'restore the snapshot' };
    case 'upload':
      return { title: `Replace ${name} by ${asked.file.name}?`, verb: 'Replace', doing: 'restore the file' };
  }
}

function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
