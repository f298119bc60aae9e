// SPDX-License-Identifier: Apache-2.0
import { Box, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { assetList } from '../../data/assets/queries.ts';
import { newestIncidents } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Moment } from '../../ui/time.tsx';
import { Finding } from '../../widgets/finding.tsx';
import { IncidentStatusBadge } from '../../widgets/incident-badges.tsx';

const SHOWN = 6;

export function NewestIncidents() {
  const { observability } = useServices();
  const newest = useQuery(newestIncidents(observability, {}, SHOWN));
  const assets = useQuery(assetList(observability)).data;
  if (newest.isError) return <ErrorPanel error={newest.error} doing="list the newest incidents" onRetry={() => void newest.refetch()} />;
  if (newest.data === undefined) return <Skeleton height={200} />;
  if (newest.data.length === 0) {
    return <Dimmed>No incidents so far. Either all scans were in order, or there are too few scans to learn what is usual.</Dimmed>;
  }
  return (
    <Stack gap="xs">
      {newest.data.map((incident) => (
        <Group key={incident.id} gap="xs" wrap="nowrap" align="start">
          <Box w={60} style={{ flexShrink: 0 }}>
            <IncidentStatusBadge status={incident.status} />
          </Box>
          <div style={{ minWidth: 0, flexGrow: 1 }}>
            <TextLink to={`/incidents/${incident.id}`} truncate display="block">
              {incident.alert_policy_name}
            </TextLink>
            <Dimmed size="xs" truncate>
              {assets?.find(({ id }) => id === incident.asset_id)?.name ?? incident.asset_id}: <Finding text={incident.description} />
            </Dimmed>
          </div>
          <Dimmed size="xs" visibleFrom="sm">
            <Moment at={incident.created_time} />
          </Dimmed>
        </Group>
      ))}
    </Stack>
  );
}
