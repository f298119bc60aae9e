// SPDX-License-Identifier: Apache-2.0
import { Stack, type StackProps } from '@mantine/core';
import type { ComponentProps } from 'react';

type FormProps = StackProps &
  Pick<ComponentProps<'form'>, 'aria-label' | 'noValidate' | 'onDragOver' | 'onDrop'> & { readonly onSubmit: () => void };

/** A form whose fields stand below each other; the page stays when it is submitted. */
export function Form({ onSubmit, ...props }: FormProps) {
  return (
    <Stack
      component="form"
      gap="sm"
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
