// SPDX-License-Identifier: Apache-2.0
import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import type { CollectionClusterInfo } from '@sextant/sdk';
import { useState } from 'react';
import { refreshCluster } from '../../data/cluster/queries.ts';
import { type Holder, type NodeRow, type ShardRow, shardRows, sources, targets } from '../../data/cluster/shard-rows.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ACTIONS, DataTable, right } from '../../ui/data-table.tsx';
import { countText } from '../../ui/figures.ts';
import { TransferShard } from './transfer-shard.tsx';

type ShardTableProps = { readonly name: string; readonly info: CollectionClusterInfo; readonly nodes: readonly NodeRow[] };

type Doing =
  | { readonly action: 'transfer'; readonly row: ShardRow }
  | { readonly action: 'drop'; readonly row: ShardRow; readonly holder: Holder }
  | { readonly action: 'abort'; readonly row: ShardRow; readonly transfer: ShardRow['transfers'][number] };

const COLOURS: { readonly [state: string]: string } = { Active: 'green', Partial: 'blue', Recovery: 'yellow', Dead: 'red' };

/** Where each shard of a collection is, and what is on its way. */
export function ShardTable({ name, info, nodes }: ShardTableProps) {
  const { vector } = useServices();
  const [doing, setDoing] = useState<Doing>();
  const stop = () => setDoing(undefined);
  const rows = shardRows(info, nodes);
  const isKeyed = rows.some(({ key }) => key !== undefined);
  const change = async (body: Parameters<ReturnType<typeof vector.collection>['updateCluster']>[0]) => {
    await vector.collection(name).updateCluster(body);
    await refreshCluster();
  };
  return (
    <>
      <DataTable
        minWidth={560}
        aria-label={`Shards of ${name}`}
        headings={[{ label: 'Shard', w: 70 }, isKeyed && 'Key', 'Copies', right('Points on this node'), 'Transfers', ACTIONS]}
      >
        {rows.map((row) => (
          <Table.Tr key={row.shard}>
            <Table.Td>{row.shard}</Table.Td>
            {isKeyed && <Table.Td>{row.key}</Table.Td>}
            <Table.Td>
              <Group gap="xs">
                {row.holders.map((holder) => (
                  <Badge key={holder.id} variant="dot" color={COLOURS[holder.state] ?? 'gray'} tt="none">
                    {holder.name}: {holder.state}
                  </Badge>
                ))}
              </Group>
            </Table.Td>
            <Table.Td ta="right">{row.points === undefined ? '' : countText(row.points)}</Table.Td>
            <Table.Td>
              <Stack gap={4}>
                {row.transfers.map((transfer) => (
                  <Group key={transfer.to} gap="xs" wrap="nowrap">
                    <Text size="sm">{transfer.text}</Text>
                    <Button variant="subtle" size="compact-xs" color="red" onClick={() => setDoing({ action: 'abort', row, transfer })}>
                      Abort
                    </Button>
                  </Group>
                ))}
              </Stack>
            </Table.Td>
            <Table.Td ta="right">
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`Move or copy shard ${row.shard}`}
                  disabled={sources(row).length === 0 || targets(row, nodes).length === 0}
                  onClick={() => setDoing({ action: 'transfer', row })}
                >
                  Move or copy
                </Button>
                {sources(row).length > 1 &&
                  row.holders.map((holder) => (
                    <Button
                      key={holder.id}
                      variant="subtle"
                      size="compact-sm"
                      color="red"
                      onClick={() => setDoing({ action: 'drop', row, holder })}
                    >
                      Drop on {holder.name}
                    </Button>
                  ))}
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {doing?.action === 'transfer' && (
        <TransferShard
          shard={doing.row.shard}
          sources={sources(doing.row)}
          targets={targets(doing.row, nodes)}
          transfer={change}
          onClose={stop}
        />
      )}
      {doing?.action === 'drop' && (
        <Confirm
          title={`Drop shard ${doing.row.shard} on ${doing.holder.name}?`}
          verb="Drop"
          doing="drop the copy"
          act={() => change({ drop_replica: { shard_id: doing.row.shard, peer_id: doing.holder.id } })}
          onClose={stop}
        >
          The other copies of the shard stay. The shard then tolerates the loss of one copy fewer.
        </Confirm>
      )}
      {doing?.action === 'abort' && (
        <Confirm
          title={`Abort the transfer of shard ${doing.row.shard}?`}
          verb="Abort"
          doing="abort the transfer"
          act={() =>
            change({ abort_transfer: { shard_id: doing.row.shard, from_peer_id: doing.transfer.from, to_peer_id: doing.transfer.to } })
          }
          onClose={stop}
        >
          The copied data are deleted; the shard stays where it is.
        </Confirm>
      )}
    </>
  );
}
