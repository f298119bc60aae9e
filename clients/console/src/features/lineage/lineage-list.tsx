// SPDX-License-Identifier: Apache-2.0
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { OpenIncidentsBadge, ScoreBadge } from '../../widgets/health-badges.tsx';

type LineageListProps = { readonly row: AssetRow; readonly rows: readonly AssetRow[] };

/** The neighbours of an asset in words, for the keyboard and for those who do not see the graph. */
export function LineageList({ row, rows }: LineageListProps) {
  const byId = new Map(rows.map((each) => [each.asset.id, each]));
  return (
    <Group align="start" gap="xl">
      <Neighbours title="Comes from" ids={row.asset.parents ?? []} byId={byId} />
      <Neighbours title="Goes into" ids={row.asset.children ?? []} byId={byId} />
    </Group>
  );
}

type NeighboursProps = { readonly title: string; readonly ids: readonly string[]; readonly byId: ReadonlyMap<string, AssetRow> };

function Neighbours({ title, ids, byId }: NeighboursProps) {
  return (
    <Stack gap={4} component="section" aria-label={title}>
      <Dimmed>{title}</Dimmed>
      {ids.length === 0 && <Text size="sm">nothing known</Text>}
      {ids.map((id) => {
        const row = byId.get(id);
        return row === undefined ? null : (
          <Group key={id} gap="xs" wrap="nowrap">
            <Anchor
              component={Link}
              to={`/assets/${row.asset.project_id}/${id}`}
              size="sm"
              {...(row.isUnhealthy && { c: 'var(--mantine-color-error)' })}
            >
              {row.asset.name}
            </Anchor>
            <ScoreBadge score={row.score} />
            <OpenIncidentsBadge open={row.open} />
          </Group>
        );
      })}
    </Stack>
  );
}
