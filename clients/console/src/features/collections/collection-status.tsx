// SPDX-License-Identifier: Apache-2.0
import { Badge, Group, Progress, Text, Tooltip } from '@mantine/core';
import type { CollectionInfo } from '@sextant/sdk';
import { Dimmed } from '../../ui/dimmed.tsx';
import { countText } from '../../ui/figures.ts';

const MEANINGS: Readonly<Record<CollectionInfo['status'], { readonly label: string; readonly colour: string; readonly meaning: string }>> =
  {
    green: { label: 'ready', colour: 'teal', meaning: 'All vectors are in the graph.' },
    yellow: { label: 'indexing', colour: 'yellow', meaning: 'Vectors are being added to the graph; searches scan the others.' },
    grey: { label: 'waiting', colour: 'gray', meaning: 'Indexing waits for the next write.' },
    red: { label: 'failed', colour: 'red', meaning: 'Indexing has failed; the log of the service says why.' },
  };

export function StatusBadge({ status }: Pick<CollectionInfo, 'status'>) {
  const { label, colour, meaning } = MEANINGS[status];
  return (
    <Tooltip label={meaning} multiline maw={280}>
      <Badge color={colour} variant="dot" tabIndex={0}>
        {label}
      </Badge>
    </Tooltip>
  );
}

/** How much of the collection is in the graph. Small collections have none and are searched by a scan. */
export function IndexedShare({ info, vectors }: { readonly info: CollectionInfo; readonly vectors: number }) {
  const { indexed_vectors_count: indexed, points_count: points, status } = info;
  const all = points * vectors;
  if (status === 'green' && indexed === 0) {
    return <Dimmed>scanned</Dimmed>;
  }
  const share = all === 0 ? 1 : Math.min(1, indexed / all);
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress value={share * 100} w={80} size="sm" aria-label={`${Math.round(share * 100)} % indexed`} />
      <Text size="sm">{countText(indexed)}</Text>
    </Group>
  );
}
