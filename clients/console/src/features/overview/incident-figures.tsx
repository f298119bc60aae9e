// SPDX-License-Identifier: Apache-2.0
import { Anchor, Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { IconMinus, IconTrendingDown, IconTrendingUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { IncidentFilter } from '../../data/incidents/filter.ts';
import { IMPACTS, incidentCounts, incidentSummary, NOT_RATED } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Figure } from '../../ui/figure.tsx';
import { countText } from '../../ui/figures.ts';
import { resolveTime } from './overview.ts';

const OPEN: IncidentFilter = { statuses: 'OPEN' };
const CHANGES = {
  faster: { icon: IconTrendingDown, colour: 'var(--mantine-color-teal-6)' },
  slower: { icon: IconTrendingUp, colour: 'var(--mantine-color-red-6)' },
  same: { icon: IconMinus, colour: undefined },
  unknown: { icon: undefined, colour: undefined },
} as const;

/** What is open, by how much depends on it, and how long it takes to resolve. Each count leads to what it counts. */
export function IncidentFigures() {
  const { observability } = useServices();
  const open = useQuery(incidentCounts(observability, OPEN));
  const summary = useQuery(incidentSummary(observability));
  const failed = [open, summary].find(({ isError }) => isError);
  if (failed !== undefined) return <ErrorPanel error={failed.error} doing="count the incidents" onRetry={() => void failed.refetch()} />;
  if (open.data === undefined || summary.data === undefined) return <Skeleton height={80} />;
  const { total, byImpact } = open.data;
  const time = resolveTime(summary.data);
  const { icon: Icon, colour } = CHANGES[time.change];
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} spacing="sm">
      <CountFigure label="Open incidents" count={total} filter={OPEN} />
      {IMPACTS.map((impact) => (
        <CountFigure
          key={impact}
          label={`${impact.charAt(0)}${impact.slice(1).toLowerCase()} impact`}
          count={byImpact[impact]}
          filter={{ ...OPEN, impacts: impact }}
        />
      ))}
      <CountFigure
        label="Not rated"
        count={total - byImpact.HIGH - byImpact.MEDIUM - byImpact.LOW}
        filter={{ ...OPEN, impacts: NOT_RATED }}
      />
      <Figure label="Mean time to resolve">
        <Text fw={600} size="xl">
          {time.value}
        </Text>
        <Group gap={4} wrap="nowrap" align="start">
          {Icon !== undefined && <Icon size={14} style={{ flexShrink: 0, color: colour }} aria-hidden="true" />}
          <Dimmed size="xs">{time.note}</Dimmed>
        </Group>
      </Figure>
    </SimpleGrid>
  );
}

type CountFigureProps = { readonly label: string; readonly count: number; readonly filter: IncidentFilter };

function CountFigure({ label, count, filter }: CountFigureProps) {
  return (
    <Figure label={label}>
      <Anchor
        fw={600}
        size="xl"
        aria-label={`${label}: ${countText(count)}`}
        renderRoot={(props) => <Link {...props} to="/incidents" search={filter} />}
      >
        {countText(count)}
      </Anchor>
    </Figure>
  );
}
