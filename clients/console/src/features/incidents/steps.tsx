// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Kbd, Stack, Textarea } from '@mantine/core';
import type { IncidentDetail } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { refreshIncident } from '../../data/incidents/queries.ts';
import { fieldError } from '../../data/services/field-error.ts';
import { useServices } from '../../data/services/services.ts';
import { useRefusal } from '../../data/users.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';

const MEANINGS = {
  OPEN: 'Close the incident if the data are in order. If the next scan still finds the violation, the incident opens again.',
  CLOSED:
    'The incident stays open until a scan finds the data in order or somebody closes it. Only the newest incident of the same monitor and attribute or rule can be reopened.',
} as const;

/** A comment, and the end or the new beginning of the incident, with what is written as its reason. */
export function Steps({ id, status, project_id }: Pick<IncidentDetail, 'id' | 'status' | 'project_id'>) {
  const { observability } = useServices();
  const refusal = useRefusal('operator', project_id);
  const [text, setText] = useState('');
  const written = text.trim();
  const onSuccess = async () => {
    setText('');
    await refreshIncident(id);
  };
  const comment = useMutation({ mutationFn: () => observability.createIncidentComment({ incident_id: id, text: written }), onSuccess });
  const step = useMutation({
    mutationFn: () => {
      const request = { incident_id: id, ...(written !== '' && { comment: written }) };
      return status === 'OPEN' ? observability.closeIncident(request) : observability.reopenIncident(request);
    },
    onSuccess,
  });
  const isBusy = comment.isPending || step.isPending;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || written === '' || isBusy) return;
    event.preventDefault();
    comment.mutate();
  };
  if (refusal !== undefined) {
    return <Dimmed>To comment on it, close it or open it again: {refusal}</Dimmed>;
  }
  const textError = fieldError(comment.error, 'text') ?? fieldError(step.error, 'comment');
  return (
    <Stack gap="xs">
      <Textarea
        label="Comment"
        placeholder="Describe what you found and did"
        {...textField(text, setText)}
        onKeyDown={onKeyDown}
        error={textError}
        autosize
        minRows={2}
        maxRows={12}
      />
      {comment.isError && textError === undefined && <ErrorPanel error={comment.error} doing="save the comment" />}
      {step.isError && textError === undefined && (
        <ErrorPanel error={step.error} doing={status === 'OPEN' ? 'close the incident' : 'open the incident again'} />
      )}
      <Group gap="xs">
        <Button variant="default" disabled={written === '' || step.isPending} loading={comment.isPending} onClick={() => comment.mutate()}>
          Comment
        </Button>
        <Button disabled={comment.isPending} loading={step.isPending} onClick={() => step.mutate()}>
          {`${status === 'OPEN' ? 'Close the incident' : 'Open it again'}${written === '' ? '' : ' with this comment'}`}
        </Button>
        <Dimmed size="xs" visibleFrom="sm">
          <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd> comments
        </Dimmed>
      </Group>
      <Dimmed size="xs">{MEANINGS[status]}</Dimmed>
    </Stack>
  );
}
