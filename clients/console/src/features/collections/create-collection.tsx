// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Button, Checkbox, Group, NumberInput, Paper, Select, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { refreshCollections } from '../../data/collections/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { checkField, textField } from '../../ui/fields.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import {
  type CollectionForm,
  createRequest,
  DISTANCES,
  EMPTY_FORM,
  type Problems,
  problemsOf,
  QUANTIZATIONS,
  SIZE_MAX,
  USUAL_VECTOR,
  type VectorRow,
} from './collection-form.ts';

const KINDS = [
  { value: 'dense', label: 'one per point' },
  { value: 'multi', label: 'several per point' },
  { value: 'sparse', label: 'sparse' },
] as const;

export function CreateCollection({ onClose }: { readonly onClose: () => void }) {
  const { vector } = useServices();
  const navigate = useNavigate();
  const [form, setForm] = useState<CollectionForm>(EMPTY_FORM);
  const [areProblemsShown, setAreProblemsShown] = useState(false);
  const problems = problemsOf(form);
  const shown: Problems | undefined = areProblemsShown ? problems : undefined;
  const change = (part: Partial<CollectionForm>) => setForm((before) => ({ ...before, ...part }));
  const changeVector = (at: number, part: Partial<VectorRow>) =>
    change({ vectors: form.vectors.map((each, i) => (i === at ? { ...each, ...part } : each)) });
  const creation = useMutation({
    mutationFn: () => vector.createCollection(form.name.trim(), createRequest(form)),
    onSuccess: async () => {
      await refreshCollections();
      onClose();
      await navigate({ to: '/collections/$name', params: { name: form.name.trim() } });
    },
  });
  const submit = () => {
    setAreProblemsShown(true);
    if (problems === undefined) creation.mutate();
  };
  return (
    <FormDialog
      title="New collection"
      size="xl"
      verb="Create"
      saving={creation}
      doing="create the collection"
      onSubmit={submit}
      onClose={onClose}
      noValidate
    >
      <TextInput
        label="Name"
        {...textField(form.name, (name) => change({ name }))}
        error={shown?.name}
        required
        maxLength={255}
        data-autofocus
      />
      {form.vectors.map((row, i) => (
        <VectorFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name of its own until it is given one
          key={i}
          row={row}
          place={i + 1}
          problems={shown?.vectors[i] ?? {}}
          onChange={(part) => changeVector(i, part)}
          onRemove={form.vectors.length === 1 ? undefined : () => change({ vectors: form.vectors.filter((_, other) => other !== i) })}
        />
      ))}
      <Group>
        <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => change({ vectors: [...form.vectors, USUAL_VECTOR] })}>
          Another vector
        </Button>
      </Group>
      <Group gap="sm" align="end">
        <Select
          label="Quantization"
          data={QUANTIZATIONS}
          value={form.quantization}
          onChange={(value) => change({ quantization: QUANTIZATIONS.find((each) => each === value) ?? 'none' })}
          allowDeselect={false}
          w={120}
        />
        <NumberInput label="Links (m)" placeholder="16" value={form.m} onChange={(m) => change({ m })} min={0} w={100} />
        <NumberInput
          label="ef_construct"
          placeholder="100"
          value={form.efConstruct}
          onChange={(efConstruct) => change({ efConstruct })}
          min={4}
          w={130}
        />
      </Group>
    </FormDialog>
  );
}

type VectorFieldsProps = {
  readonly row: VectorRow;
  readonly place: number;
  readonly problems: Problems['vectors'][number];
  readonly onChange: (part: Partial<VectorRow>) => void;
  readonly onRemove: (() => void) | undefined;
};

function VectorFields({ row, place, problems, onChange, onRemove }: VectorFieldsProps) {
  return (
    <Paper withBorder p="xs" role="group" aria-label={`Vector ${place}`}>
      <Group gap="sm" align="start">
        <TextInput
          label="Vector"
          placeholder="no name"
          {...textField(row.name, (name) => onChange({ name }))}
          error={problems.name}
          w={120}
        />
        <Select
          label="Kind"
          data={KINDS}
          value={row.kind}
          onChange={(value) => onChange({ kind: KINDS.find((each) => each.value === value)?.value ?? 'dense' })}
          allowDeselect={false}
          w={160}
        />
        {row.kind !== 'sparse' && (
          <>
            <NumberInput
              label="Size"
              value={row.size}
              onChange={(size) => onChange({ size })}
              error={problems.size}
              min={1}
              max={SIZE_MAX}
              allowDecimal={false}
              required
              w={90}
            />
            <Select
              label="Distance"
              data={DISTANCES}
              value={row.distance}
              onChange={(value) => onChange({ distance: DISTANCES.find((each) => each === value) ?? 'Cosine' })}
              allowDeselect={false}
              w={110}
            />
            <Checkbox label="On disk" {...checkField(row.isOnDisk, (isOnDisk) => onChange({ isOnDisk }))} mt={28} />
          </>
        )}
        {onRemove !== undefined && (
          <Tooltip label="Remove this vector">
            <ActionIcon aria-label={`Remove vector ${place}`} onClick={onRemove} mt={24} ml="auto">
              <IconTrash size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
    </Paper>
  );
}
