import { Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import type { IncidentDetail } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { scoreText } from '../../ui/figures.ts';
import { Moment } from '../../ui/moment.tsx';

/** The alerts that the history of the incident refers to. */
export function IncidentAlerts({ incident }: { readonly incident: IncidentDetail }) {
  const { observability } = useServices();
  const references = incident.history.flatMap((each) => each.alert_refs);
  const alerts = useQuery({
    queryKey: ['observability', 'incident', incident.id, 'alerts', references.length],
    queryFn: ({ signal }) =>
      observability.alertsByFilters(
        {
          sources: [incident.asset_id],
          upload_dates: [...new Set(references.map((each) => each.metric_time))],
          violation_names: [...new Set(references.map((each) => each.violation_name))],
        },
        { signal },
      ),
    enabled: references.length > 0,
  });
  return (
    <section aria-labelledby="alerts">
      <Title order={2} size="h5" mb="sm" id="alerts">
        Alerts
      </Title>
      {alerts.isLoading && <Skeleton height={80} />}
      {alerts.isError && <ErrorPanel error={alerts.error} doing="read the alerts" />}
      {alerts.data !== undefined && (
        <Table.ScrollContainer minWidth={420}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Delivery</Table.Th>
                <Table.Th>Attribute</Table.Th>
                <Table.Th ta="right">Value</Table.Th>
                <Table.Th>What</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {alerts.data.map((alert) => (
                <Table.Tr key={`${alert.metric_time} ${alert.violation_name} ${alert.attribute} ${alert.segment}`}>
                  <Table.Td>
                    <Moment at={alert.metric_time} />
                  </Table.Td>
                  <Table.Td ff="monospace">{alert.attribute}</Table.Td>
                  <Table.Td ta="right">{scoreText(alert.metric_value)}</Table.Td>
                  <Table.Td>
                    <Stack gap={0}>
                      {Object.values(alert.description)
                        .flat()
                        .map((line) => (
                          <Text key={line} size="xs">
                            {line}
                          </Text>
                        ))}
                    </Stack>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}
