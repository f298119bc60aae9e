// SPDX-License-Identifier: Apache-2.0
import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { MouseEventHandler, ReactNode } from 'react';
import { ErrorPanel } from './error-panel.tsx';

type ConfirmProps = {
  /** A question. */
  readonly title: string;
  /** What it means for whoever depends on the thing. */
  readonly children: ReactNode;
  /** The word on the button that does it, such as "Delete". */
  readonly verb: string;
  /** What could not be done, to follow "Could not"; the title in other words. */
  readonly doing: string;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
};

/** Asks before something is done that nobody can take back. It closes once it is done. */
export function Confirm({ title, children, verb, doing, act, onClose }: ConfirmProps) {
  const action = useMutation({ mutationFn: act, onSuccess: onClose });
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="sm">
        <Text size="sm" component="div">
          {children}
        </Text>
        {action.isError && <ErrorPanel error={action.error} doing={doing} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <DestructiveButton loading={action.isPending} onClick={() => action.mutate()}>
            {verb}
          </DestructiveButton>
        </Group>
      </Stack>
    </Modal>
  );
}

type DestructiveButtonProps = Pick<ButtonProps, 'children' | 'disabled' | 'loading'> & {
  readonly onClick: MouseEventHandler<HTMLButtonElement>;
};

/** The button that takes something away for good. The darkest red, for white letters on the usual one are too faint to read. */
export function DestructiveButton(props: DestructiveButtonProps) {
  return <Button color="red.9" {...props} />;
}
