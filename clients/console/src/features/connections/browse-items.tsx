// SPDX-License-Identifier: Apache-2.0
import { Button, Checkbox, Group, Modal, Select, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import type { Connection, ListedItem } from '@sextant/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Encoding } from '../../data/assets/encodings.ts';
import { projectList, refreshAssets } from '../../data/assets/queries.ts';
import { isFileKind } from '../../data/assets/vector-kinds.ts';
import { connectionItems } from '../../data/connections.ts';
import { refreshJobs } from '../../data/jobs.ts';
import { fieldError } from '../../data/services/field-error.ts';
import { useServices } from '../../data/services/services.ts';
import { DataTable, right } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel, messageOf } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';
import { bytesText, countText } from '../../ui/figures.ts';
import { Moment } from '../../ui/time.tsx';
import { EncodingSelect } from '../../widgets/encoding-select.tsx';
import { NO_POINTS, VectorColumns, vectorMembers } from '../../widgets/vector-columns.tsx';

const SHOWN = 200;
const DEFAULT_PROJECT = '0';

/** What a connection offers; what is chosen becomes assets with all attributes monitored, and is scanned. */
export function BrowseItems({ connection, onClose }: { readonly connection: Connection; readonly onClose: () => void }) {
  const { observability } = useServices();
  const isGlobal = connection.scope === 'GLOBAL';
  const [sought, setSought] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [projectId, setProjectId] = useState(isGlobal ? DEFAULT_PROJECT : String(connection.project_id));
  const [points, setPoints] = useState(NO_POINTS);
  const [encoding, setEncoding] = useState<Encoding>();
  const [asksEncoding, setAsksEncoding] = useState(false);
  const [done, setDone] = useState(0);
  const projects = useQuery(projectList(observability)).data ?? [];
  const items = useQuery(connectionItems(observability, connection));
  const register = async ({ name, payload }: ListedItem) => {
    const asset = await observability.createAsset({
      project_id: projectId,
      name,
      type: connection.type,
      payload: { ...payload, ...vectorMembers(points) },
      connection_id: connection.id,
      ...(encoding !== undefined && { options: { reading: { encoding } } }),
    });
    await observability.putAttributes({ asset_id: asset.id, all: true });
    await observability.startScan({ asset_id: asset.id });
  };
  const registering = useMutation({
    mutationFn: async (wanted: readonly ListedItem[]) => {
      setDone(0);
      const refused: { readonly name: string; readonly error: unknown }[] = [];
      // One after the other: each reads its source, and what fails keeps the others from nothing.
      for (const item of wanted) {
        await register(item).catch((error: unknown) => refused.push({ name: item.name, error }));
        setDone((count) => count + 1);
      }
      await refreshAssets();
      await refreshJobs();
      if (refused.length === 0) return;
      // What is registered is not registered again with the next try.
      setChosen(new Set(refused.map(({ name }) => name)));
      if (refused.some(({ error }) => fieldError(error, 'options.reading.encoding') !== undefined)) setAsksEncoding(true);
      throw new Error(refused.map(({ name, error }) => `${name}: ${messageOf(error)}`).join('\n'));
    },
    onSuccess: onClose,
  });
  const found = items.data?.filter(({ name }) => name.toLowerCase().includes(sought.toLowerCase())) ?? [];
  const shown = found.slice(0, SHOWN);
  const wanted = items.data?.filter(({ name }) => chosen.has(name)) ?? [];
  const toggle = (name: string) =>
    setChosen(chosen.has(name) ? new Set([...chosen].filter((each) => each !== name)) : new Set([...chosen, name]));
  return (
    <Modal opened onClose={onClose} title={`What ${connection.name} offers`} size="lg">
      <Stack gap="sm">
        {items.isPending && <Skeleton height={160} />}
        {items.isError && <ErrorPanel error={items.error} doing="list the tables and files" onRetry={() => void items.refetch()} />}
        {items.data?.length === 0 && <Text size="sm">It contains no table or file that can be read.</Text>}
        {items.data !== undefined && items.data.length > 0 && (
          <>
            <TextInput
              aria-label="Find by name"
              placeholder={`Find among ${countText(items.data.length)}`}
              {...textField(sought, setSought)}
              data-autofocus
            />
            <DataTable
              minWidth={360}
              maxHeight="45dvh"
              stickyHeader
              highlightOnHover
              headings={['Name', right('Size'), { label: 'Changed', visibleFrom: 'sm' }]}
            >
              {shown.map(({ name, bytes, modified_at: at }) => (
                <Table.Tr key={name}>
                  <Table.Td>
                    <Checkbox label={name} checked={chosen.has(name)} onChange={() => toggle(name)} />
                  </Table.Td>
                  <Table.Td ta="right">{bytes === null ? '–' : bytesText(bytes)}</Table.Td>
                  <Table.Td visibleFrom="sm">{at === null ? '–' : <Moment at={at} />}</Table.Td>
                </Table.Tr>
              ))}
            </DataTable>
            {found.length > SHOWN && (
              <Dimmed size="xs">
                The first {SHOWN} of {countText(found.length)} are shown.
              </Dimmed>
            )}
            {isFileKind(connection.type) && <VectorColumns value={points} onChange={setPoints} />}
            {isGlobal && (
              <Select
                label="Project for the assets"
                data={projects.map((each) => ({ value: String(each.id), label: each.name }))}
                value={projectId}
                onChange={(id) => setProjectId(id ?? DEFAULT_PROJECT)}
                allowDeselect={false}
              />
            )}
          </>
        )}
        {asksEncoding && <EncodingSelect value={encoding} onChange={setEncoding} isDisabled={registering.isPending} />}
        {registering.isError && <ErrorPanel error={registering.error} doing="register all assets" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button disabled={wanted.length === 0} loading={registering.isPending} onClick={() => registering.mutate(wanted)}>
            Register and scan {wanted.length > 0 && countText(wanted.length)}
          </Button>
        </Group>
        {registering.isPending && (
          <Dimmed size="xs" role="status">
            {done} of {wanted.length} registered
          </Dimmed>
        )}
      </Stack>
    </Modal>
  );
}
