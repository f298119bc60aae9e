// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSitemap } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { byAssetId, hasLineage, relatedAssets } from '../../data/assets/lineage.ts';
import { ColumnSources } from './column-sources.tsx';
import { ColumnTargets } from './column-targets.tsx';
import { EditParents } from './edit-parents.tsx';
import { LineageList } from './lineage-list.tsx';

const LineageGraph = lazy(async () => ({ default: (await import('./lineage-graph.tsx')).LineageGraph }));
const HEIGHT = 340;

type AssetLineageProps = { readonly row: AssetRow; readonly rows: readonly AssetRow[] };

/** What one asset comes from and what comes of it, as a graph and in words. */
export function AssetLineage({ row, rows }: AssetLineageProps) {
  const [isEditing, { open, close }] = useDisclosure(false);
  const { asset } = row;
  const related = useMemo(() => relatedAssets(asset.id, byAssetId(rows.map((each) => each.asset))), [asset.id, rows]);
  const shown = useMemo(() => rows.filter((each) => related.has(each.asset.id)), [rows, related]);
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Button variant="default" onClick={open}>
          Change the sources
        </Button>
        <Button variant="subtle" leftSection={<IconSitemap size={14} />} component={Link} to={`/lineage?asset=${asset.id}`}>
          Show in the lineage graph
        </Button>
      </Group>
      <LineageList row={row} rows={rows} />
      <ColumnSources row={row} rows={rows} />
      <ColumnTargets row={row} rows={rows} />
      {hasLineage(asset) && (
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <LineageGraph key={asset.id} rows={shown} chosen={asset.id} height={HEIGHT} />
        </Suspense>
      )}
      {isEditing && <EditParents asset={asset} rows={rows} onClose={close} />}
    </Stack>
  );
}
