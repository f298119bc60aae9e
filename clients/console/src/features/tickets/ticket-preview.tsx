// SPDX-License-Identifier: Apache-2.0
import { Alert, Code, Group, List, Loader, Paper, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { newestIncidents } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { ticketPreview } from '../../data/tickets.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { jsonText } from '../../ui/json.ts';
import { fieldProblems, propsOf, type TemplateForm } from './template-form.ts';

const TYPING_MS = 350;
const SAMPLE = 'sample';
/** To try a template on. */
const INCIDENTS = 20;

/** The ticket that the template as it is written would make, of an incident or of sample values. */
export function TicketPreviewPanel({ form }: { readonly form: TemplateForm }) {
  const { observability } = useServices();
  const [incident, setIncident] = useState(SAMPLE);
  const [tried] = useDebouncedValue(form, TYPING_MS);
  const incidents = useQuery(newestIncidents(observability, {}, INCIDENTS));
  const isWritten = fieldProblems(tried.fields).size === 0;
  // What has no project yet is previewed all the same: the fields do not depend on it.
  const props = {
    ...propsOf(tried),
    tracker_project_id: tried.project.trim() || '…',
    tracker_issue_type_id: tried.issueType.trim() || '…',
  };
  const preview = useQuery({
    ...ticketPreview(observability, { props, ...(incident !== SAMPLE && { incident_id: Number(incident) }) }),
    enabled: isWritten,
  });
  return (
    <Stack component="section" gap="sm" aria-labelledby="ticket-preview">
      <Group gap="xs">
        <Title order={3} size="h5" id="ticket-preview">
          The ticket
        </Title>
        {preview.isFetching && <Loader size={14} aria-label="Loading the preview" />}
      </Group>
      <Select
        label="Of"
        data={[
          { value: SAMPLE, label: 'sample values' },
          ...(incidents.data ?? []).map(({ id, alert_policy_name, description }) => ({
            value: String(id),
            label: `${id}: ${alert_policy_name}, ${description}`.slice(0, 90),
          })),
        ]}
        value={incident}
        onChange={(id) => setIncident(id ?? SAMPLE)}
        allowDeselect={false}
        searchable
      />
      {!isWritten && <Dimmed>Correct the marked fields to see a preview of the ticket.</Dimmed>}
      {isWritten && preview.isError && <ErrorPanel error={preview.error} doing="preview the ticket" />}
      {isWritten && preview.isPending && <Skeleton height={160} />}
      {isWritten && preview.data !== undefined && <Fields {...preview.data} />}
    </Stack>
  );
}

type FieldsProps = { readonly fields: { readonly [field: string]: unknown }; readonly warnings: readonly string[] };

function Fields({ fields, warnings }: FieldsProps) {
  return (
    <>
      {warnings.length > 0 && (
        <Alert color="yellow" variant="light" title="Check these variables">
          <List size="sm">
            {warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Paper withBorder p="sm" component="dl" m={0} aria-label="Fields of the ticket">
        {Object.entries(fields).map(([name, value]) => (
          <div key={name} style={{ marginBottom: 10 }}>
            <Text size="xs" c="dimmed" component="dt">
              {name}
            </Text>
            <Text size="sm" component="dd" m={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {typeof value === 'string' ? value : <Code>{jsonText(value)}</Code>}
            </Text>
          </div>
        ))}
      </Paper>
    </>
  );
}
