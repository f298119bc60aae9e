// SPDX-License-Identifier: Apache-2.0
import { Badge, Button, Group, Paper, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { refreshCluster } from '../../data/cluster/queries.ts';
import type { Resharding } from '../../data/cluster/resharding-rows.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { countText } from '../../ui/figures.ts';

type ReshardingPanelProps = { readonly name: string; readonly resharding: Resharding };

/** The copies of new shards, until all of them are complete and take the place of the old ones. */
export function ReshardingPanel({ name, resharding }: ReshardingPanelProps) {
  const { vector } = useServices();
  const [isAborting, setIsAborting] = useState(false);
  const { key, copies, complete } = resharding;
  const of = key === undefined ? name : `the key ${key}`;
  return (
    <Paper withBorder p="sm" mt="sm">
      <Group justify="space-between" mb="xs">
        <Text size="sm">
          Each shard of {of} is being split in two: {countText(complete)} of {countText(copies.length)} copies of the new shards are
          complete.
        </Text>
        <Button variant="subtle" size="compact-sm" color="red" onClick={() => setIsAborting(true)}>
          Abort resharding
        </Button>
      </Group>
      <DataTable minWidth={480} aria-label={`New shards of ${name}`} headings={[{ label: 'New shard', w: 100 }, 'Node', 'Progress']}>
        {copies.map(({ shard, node, isComplete, progress }) => (
          <Table.Tr key={`${shard} ${node}`}>
            <Table.Td>{shard}</Table.Td>
            <Table.Td>
              <Badge variant="dot" color={isComplete ? 'green' : 'blue'} tt="none">
                {node}
              </Badge>
            </Table.Td>
            <Table.Td>{progress}</Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {isAborting && (
        <Confirm
          title={`Abort resharding of ${of}?`}
          verb="Abort"
          doing="abort resharding"
          act={async () => {
            await vector.collection(name).updateCluster({ abort_resharding: {} });
            await refreshCluster();
          }}
          onClose={() => setIsAborting(false)}
        >
          The new shards are deleted. The existing shards keep all points, and nothing else changes.
        </Confirm>
      )}
    </Paper>
  );
}
