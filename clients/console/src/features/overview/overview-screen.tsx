import { Anchor, Badge, SimpleGrid, Skeleton, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Figure } from '../../ui/figure.tsx';
import { countText } from '../../ui/figures.ts';
import { Page } from '../../ui/page.tsx';
import { scoreColour, scores } from '../assets/queries.ts';
import { incidentSummary } from '../incidents/queries.ts';

const IncidentsByDay = lazy(async () => ({ default: (await import('./incidents-by-day.tsx')).IncidentsByDay }));
const WORST = 10;

/** How things stand: open incidents, how long they take, and the assets that need a look. */
export function OverviewScreen() {
  const { observability } = useServices();
  const summary = useQuery(incidentSummary(observability));
  const scored = useQuery(scores(observability));
  const worst = scored.data
    ?.filter(({ score }) => score !== null)
    .toSorted((a, b) => (a.score ?? 0) - (b.score ?? 0))
    .slice(0, WORST);
  return (
    <Page title="Overview">
      {summary.isError && <ErrorPanel error={summary.error} doing="count the incidents" onRetry={() => void summary.refetch()} />}
      {summary.isPending && <Skeleton height={80} />}
      {summary.data !== undefined && (
        <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
          <Figure label="Open incidents">
            <Anchor component={Link} to="/incidents" fw={600} size="xl">
              {countText(summary.data.open)}
            </Anchor>
          </Figure>
          <Figure label="Closed incidents">{countText(summary.data.closed)}</Figure>
          <Figure label="Mean time to resolve">{hoursText(summary.data.mean_time_to_resolve)}</Figure>
          <Figure label="Before that">{hoursText(summary.data.previous_mean_time_to_resolve)}</Figure>
        </SimpleGrid>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <section aria-labelledby="by-day">
          <Title order={2} size="h5" mb="xs" id="by-day">
            Incidents by day and impact
          </Title>
          <Suspense fallback={<Skeleton height={220} />}>
            <IncidentsByDay />
          </Suspense>
        </section>
        <section aria-labelledby="scores">
          <Title order={2} size="h5" mb="xs" id="scores">
            Lowest scores
          </Title>
          {scored.isError && <ErrorPanel error={scored.error} doing="read the scores" />}
          {worst?.length === 0 && (
            <Text size="sm" c="dimmed">
              No asset has a score yet; the first scan gives it one.
            </Text>
          )}
          {worst !== undefined && worst.length > 0 && (
            <Table>
              <Table.Tbody>
                {worst.map((each) => (
                  <Table.Tr key={each.asset_id}>
                    <Table.Td>
                      <Anchor component={Link} to={`/assets/${each.project_id}/${each.asset_id}`} size="sm">
                        {each.asset_name}
                      </Anchor>
                    </Table.Td>
                    <Table.Td ta="right">
                      <Badge variant="dot" color={scoreColour(each)}>
                        {each.score?.toFixed(0)}
                      </Badge>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </section>
      </SimpleGrid>
    </Page>
  );
}

function hoursText(hours: number): string {
  if (hours === 0) return '–';
  return hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} days`;
}
