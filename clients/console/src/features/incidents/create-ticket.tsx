// SPDX-License-Identifier: Apache-2.0
import { Alert, Code, Select, Skeleton, Text } from '@mantine/core';
import type { IncidentDetail } from '@sextant/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { incidentTicketPreview, refreshIncident } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { templateList, trackerConnection } from '../../data/tickets.ts';
import { useOwnUser } from '../../data/users.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { jsonText } from '../../ui/json.ts';
import { TextLink } from '../../ui/text-link.tsx';

type CreateTicketProps = { readonly incident: IncidentDetail; readonly onClose: () => void };

/** A template becomes a ticket of this incident; what it will say is shown before. */
export function CreateTicket({ incident, onClose }: CreateTicketProps) {
  const { observability } = useServices();
  const role = useOwnUser().data?.role;
  const maySee = role === 'admin' || role === 'editor';
  const templates = useQuery(templateList(observability));
  // Only admins may know.
  const tracker = useQuery({ ...trackerConnection(observability), enabled: role === 'admin' });
  const isMissing = tracker.data === null;
  const [chosen, setChosen] = useState<string | null>(null);
  const template = templates.data?.find(({ id }) => String(id) === chosen) ?? templates.data?.[0];
  const preview = useQuery({
    ...incidentTicketPreview(observability, incident.id, template?.id),
    enabled: maySee && template !== undefined,
  });
  const create = useMutation({
    mutationFn: (id: number) => observability.createTicket({ incident_id: incident.id, template_id: id }),
    onSuccess: async () => {
      await refreshIncident(incident.id);
      onClose();
    },
  });
  return (
    <FormDialog
      title="Create a ticket"
      size="lg"
      verb="Create the ticket"
      isDisabled={template === undefined || isMissing}
      saving={create}
      doing="create the ticket"
      onSubmit={() => template !== undefined && create.mutate(template.id)}
      onClose={onClose}
    >
      {templates.isError && <ErrorPanel error={templates.error} doing="list the ticket templates" />}
      {isMissing && (
        <Text size="sm">
          No tracker is connected to this tenant. <SettingsLink>Connect one in the settings</SettingsLink> first.
        </Text>
      )}
      {templates.data?.length === 0 && (
        <Text size="sm">
          There is no ticket template yet. A template defines where in the tracker a ticket is created and what it contains.{' '}
          <SettingsLink>Create one in the settings</SettingsLink>.
        </Text>
      )}
      {template !== undefined && (
        <Select
          label="Template"
          description={template.description}
          data={templates.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          value={String(template.id)}
          onChange={setChosen}
          allowDeselect={false}
        />
      )}
      {preview.isLoading && <Skeleton height={160} />}
      {preview.isError && <ErrorPanel error={preview.error} doing="preview the ticket" />}
      {preview.data !== undefined && (
        <div>
          <Dimmed size="xs" mb={4}>
            Ticket preview
          </Dimmed>
          <Code block mah={320} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }} tabIndex={0} aria-label="Fields of the ticket">
            {jsonText(preview.data.fields, 2)}
          </Code>
          {preview.data.warnings.map((warning) => (
            <Alert key={warning} color="orange" variant="light" mt="xs">
              {warning}
            </Alert>
          ))}
        </div>
      )}
    </FormDialog>
  );
}

function SettingsLink({ children }: { readonly children: string }) {
  return <TextLink to="/settings">{children}</TextLink>;
}
