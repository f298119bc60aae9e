// SPDX-License-Identifier: Apache-2.0
import { parseJson } from '@sextant/foundation-std';
import type { JsonObject, TypedRecord } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { refreshPoints } from '../../data/points/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { jsonProblem, jsonText } from '../../ui/json.ts';
import { JsonEditor } from '../../ui/json-editor.tsx';

type EditPayloadProps = { readonly name: string; readonly point: TypedRecord<JsonObject>; readonly onClose: () => void };

/** The payload is replaced by what is written here. */
export function EditPayload({ name, point, onClose }: EditPayloadProps) {
  const { vector } = useServices();
  const [text, setText] = useState(jsonText(point.payload ?? {}, 2));
  const problem = jsonProblem(text);
  const payload = problem === undefined ? parseJson(text) : undefined;
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  const change = useMutation({
    // What was parsed is JSON, and an object: nothing else can be saved.
    mutationFn: () => vector.collection(name).overwritePayload([point.id], payload as JsonObject),
    onSuccess: async () => {
      await refreshPoints(name);
      onClose();
    },
  });
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
      <JsonEditor
        label="Payload"
        text={text}
        onChange={setText}
        problem={problem}
        fault={isObject ? undefined : 'A payload is an object: { "key": value, … }'}
      />
    </FormDialog>
  );
}
