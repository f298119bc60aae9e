// SPDX-License-Identifier: Apache-2.0
import { Code, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dimmed } from './dimmed.tsx';

type EmptyStateProps = {
  readonly title: string;
  /** What to do next. */
  readonly children?: ReactNode;
  readonly command?: string;
  readonly action?: ReactNode;
};

/** What stands where there is nothing yet: a command or a button for what comes next. */
export function EmptyState({ title, children, command, action }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm">
        <Text fw={600}>{title}</Text>
        {children !== undefined && (
          <Dimmed ta="center" maw={520}>
            {children}
          </Dimmed>
        )}
        {command !== undefined && (
          <Code block maw="100%">
            {command}
          </Code>
        )}
        {action}
      </Stack>
    </Paper>
  );
}
