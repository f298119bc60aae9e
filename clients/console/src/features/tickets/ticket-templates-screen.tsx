// SPDX-License-Identifier: Apache-2.0
import { Button, Stack, Table } from '@mantine/core';
import type { TicketTemplate } from '@sextant/sdk';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { templateUsers } from '../../data/monitors.ts';
import { useServices } from '../../data/services/services.ts';
import { refreshTemplates, templateList } from '../../data/tickets.ts';
import { useRefusal } from '../../data/users.ts';
import { ACTIONS, DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ListPart } from '../../ui/list-frame.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { DeleteUnlessUsed } from '../../widgets/delete-unless-used.tsx';
import { Tracker } from './tracker.tsx';

/** Where tickets are made, and what they say. */
export function TicketTemplatesScreen() {
  return (
    <Stack gap="xl">
      <Tracker />
      <Templates />
    </Stack>
  );
}

function Templates() {
  const { observability } = useServices();
  const refusal = useRefusal('editor');
  const templates = useQuery(templateList(observability));
  const [leaving, setLeaving] = useState<TicketTemplate>();
  const create = refusal === undefined && (
    <Button component={Link} to="/settings/ticket-templates/new" leftSection={<IconPlus size={14} />}>
      New template
    </Button>
  );
  return (
    <ListPart
      title="Ticket templates"
      purpose="A template defines the content of a ticket. A monitor can create a ticket from its template for each incident; you can also choose a template at an incident."
      query={templates}
      doing="list the templates"
      create={create}
      refusal={refusal}
      empty={{
        title: 'No ticket template yet',
        text: 'A template defines in which project of the tracker a ticket is created, and what its fields contain.',
      }}
      after={leaving !== undefined && <DeleteTemplate template={leaving} onClose={() => setLeaving(undefined)} />}
    >
      {(listed) => (
        <DataTable
          highlightOnHover
          headings={[
            'Name',
            { label: 'Project', visibleFrom: 'sm' },
            { label: 'Issue type', visibleFrom: 'sm' },
            { label: 'Fields', visibleFrom: 'sm' },
            { ...ACTIONS, w: 48 },
          ]}
        >
          {listed.map((template) => (
            <Table.Tr key={template.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <TextLink to={`/settings/ticket-templates/${template.id}`} fw={500}>
                  {template.name}
                </TextLink>
                {template.description !== null && template.description !== '' && <Dimmed size="xs">{template.description}</Dimmed>}
              </Table.Td>
              <Table.Td visibleFrom="sm">{template.props.tracker_project_id}</Table.Td>
              <Table.Td visibleFrom="sm">{template.props.tracker_issue_type_id}</Table.Td>
              <Table.Td visibleFrom="sm">{Object.keys(template.props.custom_fields).join(', ')}</Table.Td>
              <Table.Td>
                {refusal === undefined && (
                  <IconButton label={`Delete ${template.name}`} icon={IconTrash} onClick={() => setLeaving(template)} />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </ListPart>
  );
}

function DeleteTemplate({ template: { id, name }, onClose }: { readonly template: TicketTemplate; readonly onClose: () => void }) {
  const { observability } = useServices();
  const users = useQuery({ ...templateUsers(observability, id), staleTime: 0 });
  return (
    <DeleteUnlessUsed
      name={name}
      what="template"
      users={users}
      first="Choose another template for these monitors first:"
      act={async () => {
        await observability.deleteTicketTemplate({ template_id: id });
        await refreshTemplates();
      }}
      onClose={onClose}
    >
      No monitor uses this template. Tickets that were created from it stay.
    </DeleteUnlessUsed>
  );
}
