// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Skeleton } from '@mantine/core';
import { IconPlugConnected, IconUpload } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type AssetRow, kindText } from '../../data/assets/asset-rows.ts';
import { useAssetRows } from '../../data/assets/use-asset-rows.ts';
import { DropTarget } from '../../ui/drop-target.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { FilteredList } from '../../ui/filtered-list.tsx';
import { Page } from '../../ui/page.tsx';
import { UploadFile } from '../../widgets/upload-file.tsx';
import { type AssetFilter, filtered, HEALTH_LABELS, HEALTHS, type Sort, sorted, withHealth } from './asset-filter.ts';
import { AssetList } from './asset-list.tsx';

const route = getRouteApi('/members/assets');

/** All assets: how they are, and whether they are looked at as often as they should be. */
export function AssetsScreen() {
  const { rows, nowMs, error, retry } = useAssetRows();
  // `null` is the dialog without a file yet.
  const [uploading, setUploading] = useState<File | null>();
  const upload = (
    <Button leftSection={<IconUpload size={14} />} onClick={() => setUploading(null)}>
      Upload a file
    </Button>
  );
  const connect = (
    <Button variant="default" leftSection={<IconPlugConnected size={14} />} component={Link} to="/settings/connections">
      Connect a source
    </Button>
  );
  return (
    <DropTarget onFile={setUploading}>
      <Page
        title="Assets"
        actions={
          <>
            {connect}
            {upload}
          </>
        }
      >
        {error !== null && <ErrorPanel error={error} doing="list the assets" onRetry={retry} />}
        {rows === undefined && error === null && <Skeleton height={240} />}
        {rows?.length === 0 && (
          <EmptyState
            title="No asset yet"
            action={
              <Group gap="xs">
                {upload}
                {connect}
              </Group>
            }
            command="sextant observe assets --help"
          >
            An asset is a file, a table or a vector collection that is scanned. Drop a file here for a first look, or connect a source.
          </EmptyState>
        )}
        {rows !== undefined && rows.length > 0 && <FoundAssets rows={rows} nowMs={nowMs} />}
        {uploading !== undefined && <UploadFile file={uploading} onClose={() => setUploading(undefined)} />}
      </Page>
    </DropTarget>
  );
}

/** The list with its filters, which stand in the address. */
function FoundAssets({ rows, nowMs }: { readonly rows: readonly AssetRow[]; readonly nowMs: number }) {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: AssetFilter) => void navigate({ search: { ...filter, ...part }, replace: true });
  const found = useMemo(() => filtered(rows, filter), [rows, filter]);
  const shown = useMemo(() => sorted(withHealth(found, filter.health), filter), [found, filter]);
  const sortBy = (sort: Sort) => {
    const isSame = (filter.sort ?? 'name') === sort;
    change({ sort, desc: isSame && filter.desc !== true ? true : undefined });
  };
  return (
    <FilteredList
      search={{ label: 'Find by name, tag or source', value: filter.q, onChange: (q) => change({ q }) }}
      choices={[
        {
          label: 'Project',
          options: optionsOf(rows, ({ asset, project }) => [String(asset.project_id), project]),
          value: filter.project,
          onChange: (project) => change({ project }),
          width: 170,
        },
        {
          label: 'Source',
          options: optionsOf(rows, ({ asset }) => [asset.type, kindText(asset.type)]),
          value: filter.type,
          onChange: (type) => change({ type }),
          width: 170,
        },
      ]}
      states={{
        label: 'Health',
        options: HEALTHS.map((value) => ({ value, label: HEALTH_LABELS[value], count: withHealth(found, value).length })),
        total: found.length,
        chosen: filter.health,
        onChoose: (health) => change({ health }),
      }}
      none={
        shown.length > 0
          ? undefined
          : {
              title: 'No asset matches the filters',
              showAll: `Show all ${countText(rows.length)}`,
              onShowAll: () => void navigate({ search: {}, replace: true }),
            }
      }
    >
      <AssetList rows={shown} filter={filter} nowMs={nowMs} onSort={sortBy} />
    </FilteredList>
  );
}

function optionsOf(rows: readonly AssetRow[], optionOf: (row: AssetRow) => readonly [value: string, label: string]) {
  const options = new Map(rows.map(optionOf));
  return [...options].map(([value, label]) => ({ value, label })).toSorted((a, b) => a.label.localeCompare(b.label));
}
