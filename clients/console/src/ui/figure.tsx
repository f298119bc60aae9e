// SPDX-License-Identifier: Apache-2.0
import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dimmed } from './dimmed.tsx';

/** One number, or a few words, that a screen says at its top. */
export function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="sm">
      <Dimmed size="xs">{label}</Dimmed>
      {typeof children === 'string' ? (
        <Text fw={600} size="xl">
          {children}
        </Text>
      ) : (
        children
      )}
    </Paper>
  );
}
