// SPDX-License-Identifier: Apache-2.0
import { Alert, Button, Group, NumberInput, PasswordInput, SimpleGrid, Skeleton, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { TrackerConnection } from '@sextant/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { memberError } from '../../data/services/field-error.ts';
import { useServices } from '../../data/services/services.ts';
import { refreshTracker, trackerConnection } from '../../data/tickets.ts';
import { useRefusal } from '../../data/users.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';
import { Form } from '../../ui/form.tsx';
import { SettingsPart } from '../../ui/section.tsx';

/** How the tracker is reached, in which tickets are made. */
export function Tracker() {
  const refusal = useRefusal('admin');
  return (
    <SettingsPart title="Tracker" purpose="Where tickets are made. It has to support the tracker REST API, version 2.">
      {refusal === undefined ? <Connection /> : <Dimmed>{refusal}</Dimmed>}
    </SettingsPart>
  );
}

function Connection() {
  const { observability } = useServices();
  const connection = useQuery({ ...trackerConnection(observability), refetchOnWindowFocus: false });
  if (connection.isError)
    return <ErrorPanel error={connection.error} doing="read the connection" onRetry={() => void connection.refetch()} />;
  if (connection.data === undefined) return <Skeleton height={120} />;
  return <ConnectionForm key={JSON.stringify(connection.data)} stored={connection.data} />;
}

const POLL_SECONDS = 60;

function ConnectionForm({ stored }: { readonly stored: TrackerConnection | null }) {
  const { observability } = useServices();
  const [isRemoving, { open, close }] = useDisclosure(false);
  const [url, setUrl] = useState(stored?.base_url ?? '');
  const [email, setEmail] = useState(stored?.email ?? '');
  const [token, setToken] = useState('');
  const [poll, setPoll] = useState<number | string>(stored?.poll_interval_seconds ?? POLL_SECONDS);
  const saving = useMutation({
    mutationFn: () =>
      observability.putTrackerConnection({
        base_url: url.trim(),
        email: email.trim() === '' ? null : email.trim(),
        ...(token !== '' && { api_token: token }),
        ...(poll !== '' && { poll_interval_seconds: Number(poll) }),
      }),
    onSuccess: async () => {
      setToken('');
      await refreshTracker();
    },
  });
  const test = useMutation({ mutationFn: () => observability.testTrackerConnection() });
  const errorAt = (member: string) => memberError(saving.error, member);
  const isPlaced = ['base_url', 'email', 'api_token', 'poll_interval_seconds'].some((member) => errorAt(member) !== undefined);
  const submit = () => {
    test.reset();
    saving.mutate();
  };
  const written = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      set(value);
      saving.reset();
      test.reset();
    };
  };
  const isChanged =
    url !== (stored?.base_url ?? '') || email !== (stored?.email ?? '') || token !== '' || poll !== stored?.poll_interval_seconds;
  return (
    <Form onSubmit={submit} aria-label="Tracker" maw={720}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          label="Address"
          placeholder="https://tracker.example.com"
          {...textField(url, written(setUrl))}
          error={errorAt('base_url')}
          required
        />
        <TextInput
          label="E-mail"
          description="Needed if the token is used as a password. Without it, the token is sent as a bearer token."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...textField(email, written(setEmail))}
          error={errorAt('email')}
        />
        <PasswordInput
          label="Token"
          description={
            stored === null
              ? 'The token is stored encrypted and never shown.'
              : 'If empty, the stored token is kept. If you change the host, enter the token again.'
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...textField(token, written(setToken))}
          error={errorAt('api_token')}
          autoComplete="off"
          required={stored === null}
        />
        <NumberInput
          label="Poll the status of open tickets every"
          suffix=" s"
          value={poll}
          onChange={written(setPoll)}
          error={errorAt('poll_interval_seconds')}
          allowDecimal={false}
        />
      </SimpleGrid>
      {saving.isError && !isPlaced && <ErrorPanel error={saving.error} doing="save the connection" />}
      {test.isError && <ErrorPanel error={test.error} doing="test the connection" />}
      {test.data !== undefined && (
        <Alert color={test.data.success ? 'teal' : 'red'} variant="light" role="status">
          {test.data.message}
        </Alert>
      )}
      <Group gap="xs">
        <Button type="submit" loading={saving.isPending} disabled={stored !== null && !isChanged}>
          {stored === null ? 'Connect' : 'Save'}
        </Button>
        {stored !== null && (
          <>
            <Button variant="default" loading={test.isPending} disabled={isChanged || saving.isPending} onClick={() => test.mutate()}>
              Test
            </Button>
            <Button variant="default" onClick={open}>
              Disconnect
            </Button>
          </>
        )}
      </Group>
      {isRemoving && (
        <Confirm
          title="Disconnect the tracker?"
          verb="Disconnect"
          doing="disconnect the tracker"
          act={async () => {
            await observability.deleteTrackerConnection();
            await refreshTracker();
          }}
          onClose={close}
        >
          The service no longer creates tickets or reads their status. Existing tickets stay linked.
        </Confirm>
      )}
    </Form>
  );
}
