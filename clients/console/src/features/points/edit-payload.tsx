import { Button, Group, JsonInput, Modal, Stack } from '@mantine/core';
import { parseJson } from '@sextant/foundation-std';
import type { JsonObject, TypedRecord } from '@sextant/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { jsonText } from '../../ui/json.ts';

type EditPayloadProps = { readonly name: string; readonly point: TypedRecord<JsonObject>; readonly onClose: () => void };

/** The payload is replaced by what is written here. */
export function EditPayload({ name, point, onClose }: EditPayloadProps) {
  const { vector } = useServices();
  const queries = useQueryClient();
  const [text, setText] = useState(jsonText(point.payload ?? {}, 2));
  const change = useMutation({
    mutationFn: async () => {
      const payload = parseJson(text);
      if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
        throw new Error('A payload is an object: { "key": value, … }');
      // What was parsed is JSON, and an object.
      await vector.collection(name).overwritePayload([point.id], payload as JsonObject);
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['vector', 'points', name] });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Payload of ${point.id}`} size="lg">
      <Stack gap="sm">
        <JsonInput
          aria-label="Payload"
          value={text}
          onChange={setText}
          autosize
          minRows={8}
          maxRows={24}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          data-autofocus
        />
        {change.isError && <ErrorPanel error={change.error} doing="save the payload" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={change.isPending} onClick={() => change.mutate()}>
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
