// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Anchor, Badge, Group, Progress, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ListedJob } from '@sextant/sdk';
import { IconCircleCheck, IconCircleX, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { isRunning, useStartScan } from '../../data/jobs.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { messageOf } from '../../ui/error-panel.tsx';
import { Age, durationText, Moment } from '../../ui/time.tsx';
import { ActionsCell, NoValue, type RowPlace, VirtualRow } from '../../ui/virtual-table.tsx';
import { OpenIncidentsBadge, ScoreBadge } from '../../widgets/health-badges.tsx';

type AssetListRowProps = RowPlace & { readonly row: AssetRow; readonly nowMs: number };

export const AssetListRow = memo(function AssetListRow({ row, index, nowMs, isReachable, onActive }: AssetListRowProps) {
  const { asset, project, source, score, open, job } = row;
  const tabIndex = isReachable ? 0 : -1;
  return (
    <VirtualRow index={index} onActive={onActive}>
      <td>
        <Anchor
          component={Link}
          to={`/assets/${asset.project_id}/${asset.id}`}
          size="sm"
          fw={500}
          tabIndex={tabIndex}
          title={asset.name}
          {...(row.isUnhealthy && { c: 'var(--mantine-color-error)' })}
        >
          {asset.name}
        </Anchor>
      </td>
      <td className="mantine-visible-from-lg" title={project}>
        {project}
      </td>
      <td className="mantine-visible-from-md" title={source}>
        {source}
      </td>
      <td>
        <Group gap={6} wrap="nowrap">
          <ScoreBadge score={score} tabIndex={tabIndex} />
          <OpenIncidentsBadge open={open} />
        </Group>
      </td>
      <td className="mantine-visible-from-sm">
        <Freshness row={row} nowMs={nowMs} />
      </td>
      <td className="mantine-visible-from-sm">{job === undefined ? <NoValue>never</NoValue> : <Outcome job={job} />}</td>
      <td className="mantine-visible-from-lg">{row.nextMs === null ? <NoValue /> : <NextRun atMs={row.nextMs} nowMs={nowMs} />}</td>
      <ActionsCell>
        <ScanNow row={row} tabIndex={tabIndex} />
      </ActionsCell>
    </VirtualRow>
  );
});

/** How old the newest measurement is, and whether it should be newer. */
function Freshness({ row: { measuredMs, isOverdue, isLate }, nowMs }: Pick<AssetListRowProps, 'row' | 'nowMs'>) {
  return (
    <Group gap={6} wrap="nowrap">
      {measuredMs === null ? <NoValue /> : <Age at={measuredMs} nowMs={nowMs} />}
      {isLate && (
        <Badge variant="light" color="red" size="sm">
          data late
        </Badge>
      )}
      {isOverdue && !isLate && (
        <Badge variant="light" color="orange" size="sm">
          overdue
        </Badge>
      )}
    </Group>
  );
}

function Outcome({ job }: { readonly job: ListedJob }) {
  if (isRunning(job.status)) {
    const { fraction, phase } = job.progress;
    return (
      <Group gap={6} wrap="nowrap">
        <Progress value={(fraction ?? 1) * 100} animated={fraction === null} w={64} size="sm" aria-label={`Scan: ${phase}`} />
        <Dimmed size="xs">{phase}</Dimmed>
      </Group>
    );
  }
  const errored = job.checks?.errored ?? 0;
  const says = job.status === 'FAILED' ? 'failed' : errored > 0 ? `finished, ${errored} errored` : 'finished';
  const isFine = says === 'finished';
  const Icon = isFine ? IconCircleCheck : IconCircleX;
  return (
    <Tooltip label={job.details === '' ? 'Finished' : job.details} multiline maw={360}>
      <Group gap={6} wrap="nowrap" component="span">
        <Icon
          size={15}
          role="img"
          aria-label={says}
          color={`var(--mantine-color-${isFine ? 'teal' : 'red'}-6)`}
          style={{ flexShrink: 0 }}
        />
        <Moment at={job.end_time ?? job.created_at} />
      </Group>
    </Tooltip>
  );
}

function NextRun({ atMs, nowMs }: { readonly atMs: number; readonly nowMs: number }) {
  const date = new Date(atMs);
  return (
    <Tooltip label={`${date.toISOString().replace('T', ' ').slice(0, 16)} UTC`}>
      <time dateTime={date.toISOString()}>in {durationText(atMs - nowMs)}</time>
    </Tooltip>
  );
}

function ScanNow({ row: { asset, job }, tabIndex }: { readonly row: AssetRow; readonly tabIndex: number }) {
  const scan = useStartScan(asset.id, (error) =>
    notifications.show({ color: 'red', title: `Could not scan ${asset.name}`, message: messageOf(error) }),
  );
  const isBusy = job !== undefined && isRunning(job.status);
  return (
    <ActionIcon
      size="sm"
      tabIndex={tabIndex}
      loading={scan.isPending}
      disabled={isBusy}
      title={isBusy ? 'A scan is running' : 'Scan now'}
      aria-label={`Scan ${asset.name} now`}
      onClick={() => scan.mutate()}
    >
      <IconPlayerPlay size={14} />
    </ActionIcon>
  );
}
