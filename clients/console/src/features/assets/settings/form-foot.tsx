// SPDX-License-Identifier: Apache-2.0
import { Button, Group } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';

type FormFootProps = {
  readonly saving: Pick<UseMutationResult, 'isPending' | 'isError' | 'isSuccess' | 'error'>;
  /** To follow "Could not". */
  readonly doing: string;
  /** Beside the button that saves. */
  readonly children?: ReactNode;
};

/** The end of a form: what went wrong, the button, and that it went well. */
export function FormFoot({ saving, doing, children }: FormFootProps) {
  return (
    <>
      {saving.isError && <ErrorPanel error={saving.error} doing={doing} />}
      <Group gap="sm">
        <Button type="submit" loading={saving.isPending}>
          Save
        </Button>
        {children}
        {saving.isSuccess && <Dimmed role="status">Saved</Dimmed>}
      </Group>
    </>
  );
}
