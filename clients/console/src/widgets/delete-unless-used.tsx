import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import type { Monitor } from '@sextant/sdk';
import type { ReactNode } from 'react';
import { Confirm } from '../ui/confirm.tsx';
import { MonitorUsers } from './monitor-users.tsx';

type DeleteUnlessUsedProps = {
  readonly name: string;
  /** What it is, to follow "delete the". */
  readonly what: string;
  /** The monitors that use it; undefined until they are known. */
  readonly users: { readonly data: readonly Monitor[] | undefined; readonly isPending: boolean };
  /** What to do with these monitors before. */
  readonly first: string;
  /** What it means for whoever depends on the thing. */
  readonly children: ReactNode;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
};

/** Asks, unless monitors use the thing: then it says which, for the service refuses as long as they do. */
export function DeleteUnlessUsed({ name, what, users, first, children, act, onClose }: DeleteUnlessUsedProps) {
  if (users.isPending) {
    return (
      <Modal opened onClose={onClose} title={`Delete ${name}?`}>
        <Skeleton height={60} />
      </Modal>
    );
  }
  if (users.data !== undefined && users.data.length > 0) {
    return (
      <Modal opened onClose={onClose} title={`${name} is in use`}>
        <Stack gap="sm">
          <Text size="sm">{first}</Text>
          <MonitorUsers monitors={users.data} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Close</Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
  return (
    <Confirm title={`Delete ${name}?`} verb="Delete" doing={`delete the ${what}`} act={act} onClose={onClose}>
      {children}
    </Confirm>
  );
}
