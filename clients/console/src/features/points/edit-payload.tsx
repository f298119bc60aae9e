// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Text, Textarea } from '@mantine/core';
import { parseJson } from '@sextant/foundation-std';
import type { JsonObject, TypedRecord } from '@sextant/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { refreshPoints } from '../../data/points/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { jsonProblem, jsonText } from '../../ui/json.ts';

type EditPayloadProps = { readonly name: string; readonly point: TypedRecord<JsonObject>; readonly onClose: () => void };

/** The payload is replaced by what is written here. */
export function EditPayload({ name, point, onClose }: EditPayloadProps) {
  const { vector } = useServices();
  const queries = useQueryClient();
  const editor = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(jsonText(point.payload ?? {}, 2));
  const problem = jsonProblem(text);
  const payload = problem === undefined ? parseJson(text) : undefined;
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  const change = useMutation({
    // What was parsed is JSON, and an object: nothing else can be saved.
    mutationFn: () => vector.collection(name).overwritePayload([point.id], payload as JsonObject),
    onSuccess: async () => {
      await refreshPoints(queries, name);
      onClose();
    },
  });
  const goThere = () => {
    editor.current?.focus();
    if (problem !== undefined) editor.current?.setSelectionRange(problem.position, Math.min(text.length, problem.position + 1));
  };
  return (
    <FormDialog
      title={`Payload of ${point.id}`}
      size="lg"
      verb="Save"
      isDisabled={!isObject}
      saving={change}
      doing="save the payload"
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Textarea
        ref={editor}
        aria-label="Payload"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={problem !== undefined || !isObject}
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        data-autofocus
      />
      {problem !== undefined && (
        <Group gap="xs" role="status">
          <Text size="sm" c="var(--mantine-color-error)">
            Line {problem.line}, column {problem.column}: {problem.message}
          </Text>
          <Button variant="subtle" size="compact-xs" onClick={goThere}>
            Go there
          </Button>
        </Group>
      )}
      {problem === undefined && !isObject && (
        <Text size="sm" c="var(--mantine-color-error)" role="status">
          A payload is an object: {'{ "key": value, … }'}
        </Text>
      )}
    </FormDialog>
  );
}
