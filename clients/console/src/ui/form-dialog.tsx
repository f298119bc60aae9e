// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Modal } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { DragEvent, ReactNode } from 'react';
import { ErrorPanel } from './error-panel.tsx';
import { Form } from './form.tsx';

type FormDialogProps = {
  readonly title: string;
  readonly size?: 'lg' | 'xl';
  /** The fields. */
  readonly children: ReactNode;
  /** The word on the button that submits, such as "Save". */
  readonly verb: string;
  readonly isDisabled?: boolean;
  readonly saving: Pick<UseMutationResult, 'isPending' | 'isError' | 'error'>;
  /** What could not be done, to follow "Could not". */
  readonly doing: string;
  /** Whether a field shows the error already. */
  readonly isErrorAtField?: boolean;
  /** The fields show what is missing, not the browser. */
  readonly noValidate?: boolean;
  readonly onSubmit: () => void;
  /** Takes a file that is dropped on the form: a shortcut for a field in it. */
  readonly onDropFile?: (file: File | null) => void;
  readonly onClose: () => void;
};

/** A dialog with a form: its fields, what went wrong when it was submitted, and the buttons. */
export function FormDialog(props: FormDialogProps) {
  const { title, size, children, verb, isDisabled = false, saving, doing, isErrorAtField = false, noValidate = false } = props;
  const { onSubmit, onDropFile, onClose } = props;
  const dropTarget = onDropFile && {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      onDropFile(event.dataTransfer.files.item(0));
    },
  };
  return (
    <Modal opened onClose={onClose} title={title} {...(size !== undefined && { size })}>
      <Form onSubmit={onSubmit} noValidate={noValidate} {...dropTarget}>
        {children}
        {saving.isError && !isErrorAtField && <ErrorPanel error={saving.error} doing={doing} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={isDisabled} loading={saving.isPending}>
            {verb}
          </Button>
        </Group>
      </Form>
    </Modal>
  );
}
