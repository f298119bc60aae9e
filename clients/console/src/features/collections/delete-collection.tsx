// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { forgetCollection } from '../../data/collections/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { DestructiveButton } from '../../ui/confirm.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';
import { countText } from '../../ui/figures.ts';

/** Asks for the name, for nothing brings the points back. */
export function DeleteCollection({ name, points }: { readonly name: string; readonly points: number }) {
  const { vector } = useServices();
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [typed, setTyped] = useState('');
  const deletion = useMutation({
    mutationFn: () => vector.deleteCollection(name),
    onSuccess: async () => {
      await navigate({ to: '/collections' });
      await forgetCollection(name);
    },
  });
  return (
    <>
      <Button variant="default" color="red" leftSection={<IconTrash size={14} />} onClick={open}>
        Delete the collection
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Delete ${name}?`}>
        <Stack gap="sm">
          <Text size="sm">
            This deletes its {countText(points)} points and cannot be undone. To continue, type the name of the collection.
          </Text>
          <TextInput aria-label="Name of the collection" {...textField(typed, setTyped)} data-autofocus />
          {deletion.isError && <ErrorPanel error={deletion.error} doing="delete the collection" />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <DestructiveButton disabled={typed !== name} loading={deletion.isPending} onClick={() => deletion.mutate()}>
              Delete
            </DestructiveButton>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
