// SPDX-License-Identifier: Apache-2.0
import { Badge } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { TextLink } from '../../ui/text-link.tsx';
import { NoValue, type RowPlace, type VirtualColumn, VirtualRow, VirtualTable } from '../../ui/virtual-table.tsx';
import { LevelBadge } from '../../widgets/incident-badges.tsx';
import { KIND_LABELS, type MonitorFilter, type MonitorSort } from './monitor-filter.ts';
import type { MonitorRow } from './monitor-rows.ts';
import { bandText } from './monitor-text.ts';

const COLUMNS: readonly VirtualColumn<MonitorSort>[] = [
  { sort: 'name', label: 'Monitor' },
  { sort: 'asset', label: 'Asset' },
  { sort: 'kind', label: 'Kind', width: 110, visibleFrom: 'sm' },
  { sort: 'impact', label: 'Impact', width: 110, visibleFrom: 'sm' },
  { sort: 'state', label: 'State', width: 96 },
];

type MonitorTableProps = {
  readonly rows: readonly MonitorRow[];
  readonly filter: MonitorFilter;
  readonly onSort: (sort: MonitorSort) => void;
};

export function MonitorTable({ rows, filter: { sort = 'state', desc = false }, onSort }: MonitorTableProps) {
  return (
    <VirtualTable label="Monitors" columns={COLUMNS} rows={rows} keyOf={keyOf} sort={sort} isDescending={desc} onSort={onSort}>
      {(row, place, key) => <MonitorTableRow key={key} row={row} {...place} />}
    </VirtualTable>
  );
}

/** Those that every asset has are called alike. */
function keyOf({ asset, monitor }: MonitorRow): string {
  return `${asset.id}/${monitor.id}`;
}

const MonitorTableRow = memo(function MonitorTableRow({ row, index, isReachable, onActive }: RowPlace & { readonly row: MonitorRow }) {
  const { monitor, asset, kind, watches, hasOpen, error } = row;
  const tabIndex = isReachable ? 0 : -1;
  const place = `/assets/${asset.project_id}/${asset.id}`;
  return (
    <VirtualRow index={index} onActive={onActive}>
      <td title={`${watches} In order: ${bandText(monitor.threshold)}`}>
        <TextLink to={`${place}/monitors/${monitor.id}`} fw={500} tabIndex={tabIndex}>
          {monitor.name}
        </TextLink>
      </td>
      <td title={asset.name}>
        <TextLink to={place} c="inherit" tabIndex={tabIndex}>
          {asset.name}
        </TextLink>
      </td>
      <td className="mantine-visible-from-sm">{KIND_LABELS[kind]}</td>
      <td className="mantine-visible-from-sm">
        <LevelBadge level={monitor.impact} />
      </td>
      <td>
        {error === null && hasOpen && <OpenIncident row={row} tabIndex={tabIndex} />}
        {error !== null && (
          <Badge variant="filled" color="red" title={error}>
            errored
          </Badge>
        )}
        {error === null && !hasOpen && (monitor.enabled ? <NoValue>on</NoValue> : <Badge variant="default">off</Badge>)}
      </td>
    </VirtualRow>
  );
});

function OpenIncident({ row: { asset, monitor }, tabIndex }: { readonly row: MonitorRow; readonly tabIndex: number }) {
  return (
    <Badge
      variant="light"
      color="red"
      leftSection={<IconAlertTriangle size={12} />}
      tabIndex={tabIndex}
      style={{ cursor: 'pointer' }}
      renderRoot={(props) => (
        <Link {...props} to="/incidents" search={{ statuses: 'OPEN', asset_ids: asset.id, alert_policy_ids: monitor.id }} />
      )}
    >
      open
    </Badge>
  );
}
