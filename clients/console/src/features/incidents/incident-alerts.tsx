// SPDX-License-Identifier: Apache-2.0
import { Button, Skeleton, Table, Text, Tooltip } from '@mantine/core';
import type { Alert, IncidentDetail } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { incidentAlerts, incidentDeliveries } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { Section } from '../../ui/section.tsx';
import { Moment } from '../../ui/time.tsx';
import { Finding } from '../../widgets/finding.tsx';
import styles from './incident-alerts.module.css';
import { notifiedText } from './notified.ts';
import { similarValuesOf } from './similar-values.ts';

const SHOWN = 10;

/** The alerts that the history of the incident refers to, newest first. */
export function IncidentAlerts({ incident }: { readonly incident: IncidentDetail }) {
  const { observability } = useServices();
  const alerts = useQuery(incidentAlerts(observability, incident));
  const deliveries = useQuery(incidentDeliveries(observability, incident.id)).data ?? [];
  const [isWhole, setWhole] = useState(false);
  const found = alerts.data ?? [];
  if (alerts.isLoading) return <Skeleton height={80} />;
  if (alerts.isError) return <ErrorPanel error={alerts.error} doing="read the alerts" onRetry={() => void alerts.refetch()} />;
  if (found.length === 0) return null;
  return (
    <Section id="alerts" title={`Alerts (${countText(found.length)})`}>
      <DataTable className={styles.stacked ?? ''} headings={['Delivery', 'What', { label: 'Notified', miw: 110 }]}>
        {(isWhole ? found : found.slice(0, SHOWN)).map((alert) => (
          <AlertRow key={`${alert.job_id} ${alert.violation_name}`} alert={alert} notified={notifiedText(alert, deliveries)} />
        ))}
      </DataTable>
      {!isWhole && found.length > SHOWN && (
        <Button variant="subtle" mt={4} onClick={() => setWhole(true)}>
          Show all {countText(found.length)}
        </Button>
      )}
    </Section>
  );
}

function AlertRow({ alert, notified }: { readonly alert: Alert; readonly notified: string }) {
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <Moment at={alert.metric_time} />
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere', minWidth: 200 }}>
        {Object.entries(alert.description).map(([level, sentences]) =>
          sentences.map((sentence) => (
            <div key={sentence}>
              <Finding text={sentence} />{' '}
              <Dimmed span size="xs">
                {level.toLowerCase()}
              </Dimmed>
            </div>
          )),
        )}
        <MostLike alert={alert} />
        {alert.violation_data.is_excluded === true && <Dimmed size="xs">excluded from learning</Dimmed>}
      </Table.Td>
      <Table.Td>
        <Tooltip label={notified} multiline maw={320}>
          <Text size="xs" lineClamp={4}>
            {notified}
          </Text>
        </Tooltip>
      </Table.Td>
    </Table.Tr>
  );
}

/** What was like it before: who remembers that day knows where to look. */
function MostLike({ alert }: { readonly alert: Alert }) {
  const similar = similarValuesOf(alert);
  if (similar.length === 0) return null;
  return (
    <Dimmed size="xs">
      Most similar earlier values:{' '}
      {similar.map(({ at, text, note }, place) => (
        <Fragment key={at}>
          {place > 0 && '; '}
          {text}, <Moment at={at} />
          {note !== '' && ` (${note})`}
        </Fragment>
      ))}
    </Dimmed>
  );
}
