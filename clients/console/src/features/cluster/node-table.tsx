// SPDX-License-Identifier: Apache-2.0
import { Badge, Button, Group, Table } from '@mantine/core';
import type { CollectionClusterInfo } from '@sextant/sdk';
import { useState } from 'react';
import { refreshCluster } from '../../data/cluster/queries.ts';
import { type NodeRow, shardRows } from '../../data/cluster/shard-rows.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ACTIONS, DataTable, right } from '../../ui/data-table.tsx';
import { countText } from '../../ui/figures.ts';

type NodeTableProps = { readonly nodes: readonly NodeRow[]; readonly shards: readonly CollectionClusterInfo[] };

/** The nodes, and a way to forget one that is gone for good. */
export function NodeTable({ nodes, shards }: NodeTableProps) {
  const { vector } = useServices();
  const [removed, setRemoved] = useState<NodeRow>();
  const held = (id: number) =>
    shards.flatMap((info) => shardRows(info, nodes)).filter(({ holders }) => holders.some((holder) => holder.id === id)).length;
  return (
    <>
      <DataTable
        minWidth={560}
        aria-label="Nodes"
        headings={['Node', 'Address', right('Shards'), right('Entries behind'), right('Last seen'), ACTIONS]}
      >
        {nodes.map((node) => (
          <Table.Tr key={node.id}>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                <span>{node.name}</span>
                {node.isOwn && <Badge variant="default">this node</Badge>}
                {node.isAway && (
                  <Badge variant="dot" color="red">
                    away
                  </Badge>
                )}
              </Group>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{node.address}</Table.Td>
            <Table.Td ta="right">{countText(held(node.id))}</Table.Td>
            <Table.Td ta="right">{countText(node.behind)}</Table.Td>
            <Table.Td ta="right">{countText(node.silentSeconds)} s ago</Table.Td>
            <Table.Td ta="right">
              {node.isAway && (
                <Button variant="subtle" size="compact-sm" color="red" onClick={() => setRemoved(node)} aria-label={`Remove ${node.name}`}>
                  Remove
                </Button>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {removed !== undefined && (
        <Confirm
          title={`Remove ${removed.name}?`}
          verb="Remove"
          doing="remove the node"
          act={async () => {
            await vector.removePeer(removed.id, { force: held(removed.id) > 0 });
            await refreshCluster();
          }}
          onClose={() => setRemoved(undefined)}
        >
          The log no longer keeps entries for this node. A node with this name can rejoin only with an empty data directory.
          {held(removed.id) > 0 &&
            ' Shards with copies on other nodes are copied again to other nodes. Shards that only this node holds are lost.'}
        </Confirm>
      )}
    </>
  );
}
