// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Select, Switch, TextInput } from '@mantine/core';
import type { Connection, DqReporting } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError } from '../../data/services/field-error.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { checkField, textField } from '../../ui/fields.ts';
import { Form } from '../../ui/form.tsx';

type ReportingFormProps = {
  readonly stored: DqReporting | null;
  readonly connections: readonly Connection[];
  readonly onSaved: (stored: DqReporting) => void;
};

export function ReportingForm({ stored, connections, onSaved }: ReportingFormProps) {
  const { observability } = useServices();
  const [isEnabled, setEnabled] = useState(stored?.enabled ?? true);
  const [path, setPath] = useState(stored?.path ?? '');
  const [connection, setConnection] = useState(stored === null ? null : String(stored.connection_id));
  const saving = useMutation({
    mutationFn: () => observability.putDqReporting({ enabled: isEnabled, path: path.trim(), connection_id: Number(connection) }),
    onSuccess: onSaved,
  });
  if (connections.length === 0 && stored === null) {
    return (
      <EmptyState title="There is no object store to write to">
        Reports need a global connection to S3, Google Cloud Storage or Azure Blob Storage. Create one under Connections, then choose its
        folder here.
      </EmptyState>
    );
  }
  const wrongPath = fieldError(saving.error, 'path');
  const wrongConnection = fieldError(saving.error, 'connection_id');
  const known = connections.map(({ id, name, type }) => ({ value: String(id), label: `${name} (${type})` }));
  const isGone = connection !== null && !known.some(({ value }) => value === connection);
  return (
    <Form onSubmit={() => saving.mutate()} maw={520}>
      <Switch
        label="Write a report after each scan"
        description="If off, the settings are kept but no reports are written."
        {...checkField(isEnabled, setEnabled)}
      />
      <Select
        label="Connection"
        description="A global connection to an object store."
        data={isGone ? [...known, { value: connection, label: `connection ${connection} (deleted)` }] : known}
        value={connection}
        error={wrongConnection}
        onChange={setConnection}
        allowDeselect={false}
        required
      />
      <TextInput
        label="Folder"
        description="In the bucket or container of the connection. The bucket or container must exist, and the service must have permission to write to it."
        placeholder="reports/monitors"
        {...textField(path, setPath)}
        error={wrongPath}
        required
      />
      {saving.isError && wrongPath === undefined && wrongConnection === undefined && (
        <ErrorPanel error={saving.error} doing="save the configuration" />
      )}
      <Group gap="sm">
        <Button type="submit" disabled={connection === null} loading={saving.isPending}>
          Save
        </Button>
        <Dimmed size="xs">Saving writes and removes a small file in the folder.</Dimmed>
      </Group>
    </Form>
  );
}
