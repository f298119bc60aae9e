// SPDX-License-Identifier: Apache-2.0
import { Code, List, Stack, Table, Text } from '@mantine/core';
import type { IncidentDetail, IncidentEvidence, IncidentStory } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { incidentStory } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { DataTable, right } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Section } from '../../ui/section.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Finding } from '../../widgets/finding.tsx';
import { type EvidenceTable, evidenceTable } from './evidence-table.ts';

/** What the scan says of the cause, and the incidents that share it. */
export function Why({ incident }: { readonly incident: IncidentDetail }) {
  const { observability } = useServices();
  const story = useQuery(incidentStory(observability, incident.id));
  if (story.isError) return <ErrorPanel error={story.error} doing="read why it happened" onRetry={() => void story.refetch()} />;
  if (story.data === undefined) return null;
  const { why, evidence, related } = story.data;
  if (why.length === 0 && evidence.length === 0 && related.length === 0) return null;
  return (
    <Section id="why" title="Why">
      <Stack gap="sm">
        {related.length > 0 && <OneCause incident={incident} related={related} />}
        {why.length > 0 && (
          <List size="sm" spacing={4}>
            {why.map((sentence) => (
              <List.Item key={sentence}>
                <Finding text={sentence} />
              </List.Item>
            ))}
          </List>
        )}
        {evidence.map((each) => (
          <Evidence key={JSON.stringify(each)} evidence={each} />
        ))}
      </Stack>
    </Section>
  );
}

function OneCause({ incident, related }: { readonly incident: IncidentDetail; readonly related: IncidentStory['related'] }) {
  const own = related.find(({ incident_id }) => incident_id === incident.id);
  return (
    <div>
      <Text size="sm">
        {own?.role === 'EFFECT' ? 'This incident and others have the same cause' : 'This incident is the cause of other incidents'}
        {own?.reason != null && (
          <>
            : <Finding text={own.reason} />
          </>
        )}
      </Text>
      <List size="sm" spacing={2} mt={4}>
        {related
          .filter(({ incident_id }) => incident_id !== incident.id)
          .map(({ incident_id, alert_policy_name, asset_name, role, status }) => (
            <List.Item key={incident_id}>
              <TextLink to={`/incidents/${incident_id}`}>{alert_policy_name}</TextLink>
              <Dimmed span>
                {` on ${asset_name}: the ${role === 'CAUSE' ? 'cause' : 'same cause'}, ${status === 'OPEN' ? 'open' : 'closed'}`}
              </Dimmed>
            </List.Item>
          ))}
      </List>
    </div>
  );
}

function Evidence({ evidence }: { readonly evidence: IncidentEvidence }) {
  const table = evidenceTable(evidence);
  return table === undefined ? null : <Figures table={table} />;
}

function Figures({ table: { caption, columns, rows } }: { readonly table: EvidenceTable }) {
  return (
    <DataTable minWidth={320} caption={caption} headings={columns.map((column, index) => (index === 0 ? column : right(column)))}>
      {rows.map(([name, ...figures]) => (
        <Table.Tr key={name}>
          <Table.Td>
            <Code style={{ overflowWrap: 'anywhere' }}>{name}</Code>
          </Table.Td>
          {figures.map((figure, index) => (
            <Table.Td key={columns[index + 1]} ta="right">
              {figure}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </DataTable>
  );
}
