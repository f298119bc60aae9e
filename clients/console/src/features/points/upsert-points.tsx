// SPDX-License-Identifier: Apache-2.0
import { Code } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { parseJson } from '@sextant/foundation-std';
import type { PointStruct } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type CollectionFacts, refreshCollection } from '../../data/collections/queries.ts';
import { refreshPoints } from '../../data/points/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { jsonProblem } from '../../ui/json.ts';
import { JsonEditor } from '../../ui/json-editor.tsx';
import { pointTemplate } from './point-template.ts';

type UpsertPointsProps = CollectionFacts & { readonly onClose: () => void };

/** Points as the API takes them: numbers for vectors, or a text and the model that makes one of it. */
export function UpsertPoints({ name, fields, onClose }: UpsertPointsProps) {
  const { vector } = useServices();
  const [text, setText] = useState(() => pointTemplate(fields));
  const problem = jsonProblem(text);
  const written = problem === undefined ? parseJson(text) : undefined;
  const points = Array.isArray(written) ? written : [written];
  const isList = points.length > 0 && points.every((point) => typeof point === 'object' && point !== null && !Array.isArray(point));
  const upsert = useMutation({
    // The service validates what was written, and says which member is wrong.
    mutationFn: () => vector.collection(name).upsert(points as PointStruct[]),
    onSuccess: async () => {
      await Promise.all([refreshPoints(name), refreshCollection(name)]);
      notifications.show({ message: points.length === 1 ? 'The point is stored.' : `The ${points.length} points are stored.` });
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Upsert points of ${name}`}
      size="lg"
      verb="Upsert"
      isDisabled={!isList}
      saving={upsert}
      doing="store the points"
      onSubmit={() => upsert.mutate()}
      onClose={onClose}
    >
      <Dimmed>
        A point replaces an existing point with the same id. If an embedding model is configured, a vector can be{' '}
        <Code>{'{"text": "…", "model": "…"}'}</Code>.
      </Dimmed>
      <JsonEditor
        label="Points"
        text={text}
        onChange={setText}
        problem={problem}
        fault={isList ? undefined : 'Write a point, or a list of points: [{ "id": 1, "vector": […], "payload": {…} }]'}
      />
    </FormDialog>
  );
}
