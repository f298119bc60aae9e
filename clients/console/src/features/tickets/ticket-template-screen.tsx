// SPDX-License-Identifier: Apache-2.0
import { Button, Grid, Group, Skeleton, Textarea, TextInput } from '@mantine/core';
import { ApiError, type TicketTemplate } from '@sextant/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { memberError } from '../../data/services/field-error.ts';
import { useServices } from '../../data/services/services.ts';
import { refreshTemplates, templateDetail } from '../../data/tickets.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';
import { Form } from '../../ui/form.tsx';
import { SettingsPart } from '../../ui/section.tsx';
import { NeedsRole } from '../../widgets/needs-role.tsx';
import { FieldRows } from './field-rows.tsx';
import { fieldProblems, NEW_TEMPLATE, type TemplateForm, templateBodyOf, templateFormOf } from './template-form.ts';
import { TicketPreviewPanel } from './ticket-preview.tsx';

const route = getRouteApi('/members/settings/ticket-templates/$templateId');
/** In place of an id. */
const NEW = 'new';

/** One template, or a new one, and beside it the ticket that it makes. */
export function TicketTemplateScreen() {
  const { templateId } = route.useParams();
  return (
    <NeedsRole atLeast="editor">
      {templateId === NEW ? <TemplateEditor initial={NEW_TEMPLATE} /> : <StoredTemplate key={templateId} id={Number(templateId)} />}
    </NeedsRole>
  );
}

function StoredTemplate({ id }: { readonly id: number }) {
  const { observability } = useServices();
  const template = useQuery(templateDetail(observability, id));
  if (template.isError)
    return <ErrorPanel error={template.error} doing="read the ticket template" onRetry={() => void template.refetch()} />;
  if (template.data === undefined) return <Skeleton height={240} />;
  return <TemplateEditor initial={templateFormOf(template.data)} stored={template.data} />;
}

function TemplateEditor({ initial, stored }: { readonly initial: TemplateForm; readonly stored?: TicketTemplate }) {
  const { observability } = useServices();
  const navigate = route.useNavigate();
  const [form, setForm] = useState(initial);
  const leave = () => void navigate({ to: '/settings/ticket-templates' });
  const saving = useMutation({
    mutationFn: () => {
      const body = templateBodyOf(form, stored);
      return stored === undefined
        ? observability.createTicketTemplate(body)
        : observability.updateTicketTemplate({ template_id: stored.id, ...body });
    },
    onSuccess: async () => {
      await refreshTemplates();
      leave();
    },
  });
  const change = (part: Partial<TemplateForm>) => {
    setForm((before) => ({ ...before, ...part }));
    saving.reset();
  };
  const problems = fieldProblems(form.fields);
  const { error } = saving;
  const errors = {
    name: memberError(error, 'name') ?? (error instanceof ApiError && error.code === 'conflict' ? error.message : undefined),
    description: memberError(error, 'description'),
    project: memberError(error, 'props.tracker_project_id'),
    issueType: memberError(error, 'props.tracker_issue_type_id'),
  };
  const isPlaced = Object.values(errors).some((each) => each !== undefined);
  return (
    <SettingsPart
      title={stored === undefined ? 'New ticket template' : stored.name}
      purpose="Defines the content of a ticket for an incident and where it is created. The ids are those of the tracker."
    >
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Form onSubmit={() => saving.mutate()} aria-label="Ticket template">
            <TextInput label="Name" {...textField(form.name, (name) => change({ name }))} error={errors.name} required />
            <Textarea
              label="Description"
              {...textField(form.description, (description) => change({ description }))}
              error={errors.description}
              autosize
              minRows={1}
            />
            <Group grow align="start" gap="xs">
              <TextInput
                label="Project id"
                {...textField(form.project, (project) => change({ project }))}
                error={errors.project}
                required
              />
              <TextInput
                label="Issue type id"
                {...textField(form.issueType, (issueType) => change({ issueType }))}
                error={errors.issueType}
                required
              />
            </Group>
            <FieldRows fields={form.fields} problems={problems} onChange={(fields) => change({ fields })} />
            {saving.isError && !isPlaced && <ErrorPanel error={error} doing="save the template" />}
            <Group gap="xs">
              <Button type="submit" disabled={problems.size > 0} loading={saving.isPending}>
                {stored === undefined ? 'Create the template' : 'Save'}
              </Button>
              <Button variant="default" onClick={leave}>
                Cancel
              </Button>
            </Group>
          </Form>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <TicketPreviewPanel form={form} />
        </Grid.Col>
      </Grid>
    </SettingsPart>
  );
}
