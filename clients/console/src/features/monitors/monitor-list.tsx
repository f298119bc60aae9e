// SPDX-License-Identifier: Apache-2.0
import { Badge, Button, Group, Skeleton, Switch, Table, Tooltip } from '@mantine/core';
import type { Monitor } from '@sextant/sdk';
import { IconBell, IconPlus, IconTicket } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isPrebuilt, monitorList, refreshMonitors } from '../../data/monitors.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { checkField } from '../../ui/fields.ts';
import { Section } from '../../ui/section.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { KIND_LABELS } from './monitor-filter.ts';
import { formOf, updateBodyOf } from './monitor-form.ts';
import { kindOf } from './monitor-rows.ts';
import { bandText, watchText } from './monitor-text.ts';

type MonitorListProps = { readonly projectId: string; readonly assetId: string };

/** The monitors of an asset: those that people made, then those that every asset has. */
export function MonitorList({ projectId, assetId }: MonitorListProps) {
  const { observability } = useServices();
  const monitors = useQuery(monitorList(observability, assetId));
  const listed = monitors.data?.toSorted((a, b) => Number(isPrebuilt(a)) - Number(isPrebuilt(b)));
  return (
    <Section
      id="monitors"
      title="Monitors"
      beside={
        <Button component={Link} to={`/assets/${projectId}/${assetId}/monitors/new`} variant="default" leftSection={<IconPlus size={14} />}>
          New monitor
        </Button>
      }
    >
      {monitors.isError && <ErrorPanel error={monitors.error} doing="list the monitors" onRetry={() => void monitors.refetch()} />}
      {monitors.isPending && <Skeleton height={240} />}
      {listed !== undefined && (
        <DataTable
          minWidth={560}
          highlightOnHover
          headings={[{ label: 'On', w: 56 }, 'Monitor', 'In order', { label: 'Impact', w: 90 }, { label: 'Notifies', w: 72 }]}
        >
          {listed.map((monitor) => (
            <MonitorRow key={monitor.id} monitor={monitor} to={`/assets/${projectId}/${assetId}/monitors/${monitor.id}`} />
          ))}
        </DataTable>
      )}
    </Section>
  );
}

function MonitorRow({ monitor, to }: { readonly monitor: Monitor; readonly to: string }) {
  const { name, impact, notification, ticketing } = monitor;
  const channels = notification?.send_notifications === true ? (notification.notification_channel_names ?? []) : [];
  return (
    <Table.Tr>
      <Table.Td>
        <EnabledSwitch monitor={monitor} />
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          <TextLink to={to} fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </TextLink>
          {!isPrebuilt(monitor) && (
            <Badge variant="default" size="sm">
              {KIND_LABELS[kindOf(monitor)]}
            </Badge>
          )}
        </Group>
        <Dimmed size="xs" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
          {watchText(monitor)}
        </Dimmed>
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{bandText(monitor.threshold)}</Table.Td>
      <Table.Td>{impact?.toLowerCase() ?? '–'}</Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          {channels.length > 0 && (
            <Tooltip label={`Notifies ${channels.join(', ')}`}>
              <IconBell size={16} stroke={1.6} role="img" aria-label={`Notifies ${channels.join(', ')}`} />
            </Tooltip>
          )}
          {ticketing?.create_ticket === true && (
            <Tooltip label="Makes tickets">
              <IconTicket size={16} stroke={1.6} role="img" aria-label="Makes tickets" />
            </Tooltip>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** Asks before it is switched off, for its incident is closed with it. */
function EnabledSwitch({ monitor }: { readonly monitor: Monitor }) {
  const { observability } = useServices();
  const [isLeaving, setIsLeaving] = useState(false);
  const put = async (enabled: boolean) => {
    const { asset_id, id } = monitor;
    await observability.updateMonitor({ asset_id, monitor_id: id, ...updateBodyOf({ ...formOf(monitor), enabled }, monitor) });
    await refreshMonitors(asset_id);
  };
  const turnOn = useMutation({ mutationFn: () => put(true) });
  return (
    <>
      <Tooltip label={turnOn.isError ? turnOn.error.message : monitor.enabled ? 'Switch off' : 'Switch on'}>
        <Switch
          aria-label={`${monitor.name} is on`}
          {...checkField(monitor.enabled || turnOn.isPending, (isChecked) => (isChecked ? turnOn.mutate() : setIsLeaving(true)))}
          error={turnOn.isError}
        />
      </Tooltip>
      {isLeaving && (
        <Confirm
          title={`Switch ${monitor.name} off?`}
          verb="Switch off"
          doing="switch off the monitor"
          act={() => put(false)}
          onClose={() => setIsLeaving(false)}
        >
          The monitor evaluates no scan until it is switched on again, and its open incident is closed.
        </Confirm>
      )}
    </>
  );
}
