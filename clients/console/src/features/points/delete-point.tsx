import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { PointId } from '@sextant/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';

type DeletePointProps = { readonly name: string; readonly id: PointId; readonly onClose: () => void };

export function DeletePoint({ name, id, onClose }: DeletePointProps) {
  const { vector } = useServices();
  const queries = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => vector.collection(name).deletePoints([id]),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['vector'] });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Delete point ${id}?`}>
      <Stack gap="sm">
        <Text size="sm">Its vectors and its payload are gone for good.</Text>
        {deletion.isError && <ErrorPanel error={deletion.error} doing="delete the point" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={deletion.isPending} onClick={() => deletion.mutate()}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
