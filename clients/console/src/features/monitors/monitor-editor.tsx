// SPDX-License-Identifier: Apache-2.0
import { Button, Grid, Group, Switch, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { ApiError, type Asset, type Monitor } from '@sextant/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { finishedScans } from '../../data/jobs.ts';
import { metricLabel } from '../../data/metrics/metric-kinds.ts';
import { monitorPreview, refreshMonitors } from '../../data/monitors.ts';
import { memberError } from '../../data/services/field-error.ts';
import { useServices } from '../../data/services/services.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { checkField, textField } from '../../ui/fields.ts';
import { Form } from '../../ui/form.tsx';
import { DefinitionFields } from './definition-fields.tsx';
import { FormPart } from './form-part.tsx';
import { createBodyOf, type MonitorForm, previewBodyOf, suggestedName, updateBodyOf } from './monitor-form.ts';
import { missingForPreview } from './preview.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { ReactionFields } from './reaction-fields.tsx';
import { ThresholdFields } from './threshold-fields.tsx';

const TYPING_MS = 350;
/** Members that have a field of their own, at which an error of the service is shown. */
const MEMBERS = [
  'name',
  'description',
  'tags',
  'monitor.predefined_metric',
  'monitor.attributes',
  'monitor.expression',
  'monitor.options',
  'monitor.variables',
  'threshold',
  'notification',
  'ticketing',
];

type MonitorEditorProps = {
  readonly asset: Asset;
  readonly initial: MonitorForm;
  /** The monitor that is edited; without it, one is made. */
  readonly stored?: Monitor;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
};

/** The form of a monitor, and beside it what the monitor as it is written would have said of the scans so far. */
export function MonitorEditor({ asset, initial, stored, onSaved, onCancel }: MonitorEditorProps) {
  const { observability } = useServices();
  const [form, setForm] = useState(initial);
  const [tried] = useDebouncedValue(form, TYPING_MS);
  const preview = useQuery({
    ...monitorPreview(observability, asset.id, previewBodyOf(tried, stored?.id)),
    enabled: missingForPreview(tried) === undefined,
  });
  const scans = useQuery(finishedScans(observability, asset.id)).data ?? 0;
  const placeholder = suggestedName(form, metricLabel(form.metric));
  const saving = useMutation({
    mutationFn: () => {
      const named = { ...form, name: form.name.trim() === '' ? placeholder : form.name };
      return stored === undefined
        ? observability.createMonitor({ asset_id: asset.id, ...createBodyOf(named) })
        : observability.updateMonitor({ asset_id: asset.id, monitor_id: stored.id, ...updateBodyOf(named, stored) });
    },
    onSuccess: async () => {
      await refreshMonitors(asset.id);
      onSaved();
    },
  });
  const change = (part: Partial<MonitorForm>) => {
    setForm((before) => ({ ...before, ...part }));
    saving.reset();
  };
  const savedAt = (member: string) => memberError(saving.error, member) ?? (member === 'name' ? takenName(saving.error) : undefined);
  const errorAt = (member: string) => savedAt(member) ?? memberError(preview.error, member);
  const part = { form, change, errorAt };
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 6, xl: 5 }}>
        <Form onSubmit={() => saving.mutate()} aria-label={stored === undefined ? 'New monitor' : `Monitor ${stored.name}`} gap="lg">
          <DefinitionFields {...part} asset={asset} isNew={stored === undefined} />
          <ThresholdFields {...part} />
          <ReactionFields {...part} />
          <FormPart title="Name and state">
            <TextInput
              label="Name"
              {...textField(form.name, (name) => change({ name }))}
              placeholder={placeholder}
              required={placeholder === ''}
              error={errorAt('name')}
            />
            <Textarea
              label="Description"
              {...textField(form.description, (description) => change({ description }))}
              error={errorAt('description')}
              autosize
              minRows={1}
            />
            <Switch label="Evaluate every scan" {...checkField(form.enabled, (enabled) => change({ enabled }))} />
          </FormPart>
          {saving.isError && !MEMBERS.some((member) => savedAt(member) !== undefined) && (
            <ErrorPanel error={saving.error} doing="save the monitor" />
          )}
          <Group gap="xs">
            <Button type="submit" loading={saving.isPending}>
              {stored === undefined ? 'Create the monitor' : 'Save'}
            </Button>
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          </Group>
        </Form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6, xl: 7 }}>
        <PreviewPanel
          form={tried}
          preview={preview}
          isStored={stored !== undefined}
          isRewritten={stored !== undefined && isRewritten(tried, stored)}
          scans={scans}
          isPlaced={MEMBERS.some((member) => memberError(preview.error, member) !== undefined)}
        />
      </Grid.Col>
    </Grid>
  );
}

function takenName(error: unknown): string | undefined {
  return error instanceof ApiError && error.code === 'conflict' ? error.message : undefined;
}

function isRewritten({ expression }: MonitorForm, { monitor }: Monitor): boolean {
  return 'expression' in monitor && monitor.expression !== expression;
}
