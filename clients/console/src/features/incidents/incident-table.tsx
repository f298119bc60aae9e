import { Anchor, Box, Group, Text } from '@mantine/core';
import type { Incident } from '@sextant/sdk';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Moment } from '../../ui/moment.tsx';
import { ImpactBadge, IncidentStatusBadge } from './badges.tsx';

const ROW_PX = 52;
const OVERSCAN = 12;

type IncidentTableProps = { readonly incidents: readonly Incident[]; readonly onEnd: () => void };

/** Rows that are in sight are drawn, however many there are. */
export function IncidentTable({ incidents, onEnd }: IncidentTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: incidents.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const drawn = rows.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= incidents.length - 1) onEnd();
  }, [last, incidents.length, onEnd]);
  return (
    <Box ref={scroller} h="calc(100dvh - 220px)" style={{ overflow: 'auto' }} tabIndex={0} role="list" aria-label="Incidents">
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {drawn.map(({ index, start }) => {
          const incident = incidents[index];
          return incident === undefined ? null : (
            <Box
              key={incident.id}
              role="listitem"
              style={{
                position: 'absolute',
                insetInline: 0,
                height: ROW_PX,
                transform: `translateY(${start}px)`,
                borderBottom: '1px solid var(--mantine-color-default-border)',
              }}
            >
              <IncidentRow incident={incident} />
            </Box>
          );
        })}
      </div>
    </Box>
  );
}

function IncidentRow({ incident }: { readonly incident: Incident }) {
  return (
    <Group gap="sm" wrap="nowrap" h="100%" px="xs">
      <Box w={64} style={{ flexShrink: 0 }}>
        <IncidentStatusBadge status={incident.status} />
      </Box>
      <Box w={72} style={{ flexShrink: 0 }} visibleFrom="sm">
        <ImpactBadge impact={incident.impact} />
      </Box>
      <Box style={{ flexGrow: 1, minWidth: 0 }}>
        <Anchor component={Link} to={`/incidents/${incident.id}`} size="sm" fw={500} truncate display="block">
          {incident.alert_policy_name}
        </Anchor>
        <Text size="xs" c="dimmed" truncate>
          {incident.description}
        </Text>
      </Box>
      <Text size="xs" c="dimmed" style={{ flexShrink: 0 }} visibleFrom="sm">
        <Moment at={incident.created_time} />
      </Text>
    </Group>
  );
}
