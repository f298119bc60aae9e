// SPDX-License-Identifier: Apache-2.0
import { Divider, Select, Switch, TextInput } from '@mantine/core';
import type { Connection } from '@sextant/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectList } from '../../data/assets/queries.ts';
import { type ConnectionValues, refreshConnections, updateConnection } from '../../data/connections.ts';
import { fieldError } from '../../data/services/field-error.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { checkField, textField } from '../../ui/fields.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { CONNECTION_KINDS, type ConnectionKind, givenOf, isOffered, kindOf, type OfferedKind } from './connection-kinds.ts';
import { Fields } from './fields.tsx';

const GLOBAL = 'global';

type ConnectionFormProps = {
  /** The one that is changed; a new one without it. */
  readonly connection?: Connection;
  readonly onClose: () => void;
};

/** Makes or changes a connection. What is secret goes in and is never shown again, so it is asked for only to be replaced. */
export function ConnectionForm({ connection, onClose }: ConnectionFormProps) {
  const { observability } = useServices();
  const projects = useQuery(projectList(observability)).data ?? [];
  const [kind, setKind] = useState<OfferedKind>((connection === undefined ? undefined : kindOf(connection)) ?? 'POSTGRESQL');
  const [name, setName] = useState(connection?.name ?? '');
  const [scope, setScope] = useState(connection === undefined || connection.scope === 'GLOBAL' ? GLOBAL : String(connection.project_id));
  const [payload, setPayload] = useState<ConnectionValues>(connection === undefined ? {} : valuesOf(connection.payload));
  const [secrets, setSecrets] = useState<ConnectionValues>({});
  const [isReplacing, setIsReplacing] = useState(connection === undefined);
  const { type, fixed, payload: fields, credential }: ConnectionKind = CONNECTION_KINDS[kind];
  const saving = useMutation({
    mutationFn: () => {
      const given = credential === undefined ? {} : givenOf(credential.fields, secrets);
      const hasCredential = credential !== undefined && isReplacing && Object.keys(given).length > 0;
      const body = {
        name: name.trim(),
        payload: { ...givenOf(fields, payload), ...fixed },
        ...(hasCredential && { credential: { type: credential.type, payload: given } }),
      };
      if (connection !== undefined) return updateConnection(observability, connection, body);
      const made = { ...body, type };
      return scope === GLOBAL
        ? observability.createConnection(made)
        : observability.createProjectConnection({ project_id: scope, ...made });
    },
    onSuccess: async () => {
      await refreshConnections();
      onClose();
    },
  });
  return (
    <FormDialog
      title={connection === undefined ? 'New connection' : `Change ${connection.name}`}
      verb="Save"
      saving={saving}
      doing={connection === undefined ? 'create the connection' : 'change the connection'}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      {connection === undefined && (
        <Select
          label="To"
          data={Object.entries(CONNECTION_KINDS).map(([value, { label }]) => ({ value, label }))}
          value={kind}
          onChange={(chosen) => {
            if (chosen === null || !isOffered(chosen)) return;
            setKind(chosen);
            setPayload({});
            setSecrets({});
          }}
          allowDeselect={false}
        />
      )}
      <TextInput label="Name" {...textField(name, setName)} error={fieldError(saving.error, 'name')} required />
      {connection === undefined && (
        <Select
          label="For"
          data={[{ value: GLOBAL, label: 'all projects' }, ...projects.map((each) => ({ value: String(each.id), label: each.name }))]}
          value={scope}
          onChange={(chosen) => setScope(chosen ?? GLOBAL)}
          allowDeselect={false}
        />
      )}
      <Fields fields={fields} values={payload} onChange={setPayload} within="payload" error={saving.error} />
      {credential !== undefined && (
        <>
          <Divider label="Credential" labelPosition="left" />
          {connection !== undefined && (
            <Switch
              label="Replace the credential"
              description="The stored credential is never shown. If you change the address, enter it again"
              {...checkField(isReplacing, setIsReplacing)}
            />
          )}
          {isReplacing && (
            <Fields fields={credential.fields} values={secrets} onChange={setSecrets} within="credential.payload" error={saving.error} />
          )}
          {connection === undefined && <Dimmed size="xs">The credential is stored encrypted and never shown again.</Dimmed>}
        </>
      )}
    </FormDialog>
  );
}

function valuesOf(payload: Connection['payload']): ConnectionValues {
  return Object.fromEntries(
    Object.entries(payload).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, value]] : [],
    ),
  );
}
