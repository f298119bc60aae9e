import { Button, Group, Modal, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';

const DISTANCES = ['Cosine', 'Dot', 'Euclid', 'Manhattan'] as const;
type Distance = (typeof DISTANCES)[number];
/** That of many sentence encoders. */
const USUAL_SIZE = 384;
const SIZE_MAX = 65536;

export function CreateCollection({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { vector } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [size, setSize] = useState<number | string>(USUAL_SIZE);
  const [distance, setDistance] = useState<Distance>('Cosine');
  const creation = useMutation({
    mutationFn: () => vector.createCollection(name.trim(), { vectors: { size: Number(size), distance } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['vector', 'collections'] });
      onClose();
      await navigate({ to: '/collections/$name', params: { name: name.trim() } });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title="New collection">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            maxLength={255}
            data-autofocus
          />
          <NumberInput label="Size of the vectors" value={size} onChange={setSize} min={1} max={SIZE_MAX} allowDecimal={false} required />
          <Select
            label="Distance"
            data={DISTANCES}
            value={distance}
            onChange={(value) => setDistance(DISTANCES.find((each) => each === value) ?? 'Cosine')}
            allowDeselect={false}
          />
          {creation.isError && <ErrorPanel error={creation.error} doing="create the collection" />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creation.isPending}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
