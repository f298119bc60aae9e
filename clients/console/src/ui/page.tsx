// SPDX-License-Identifier: Apache-2.0
import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

type PageProps = {
  readonly title: string;
  /** Which of its parts is open, for the title of the window. */
  readonly part?: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly beside?: ReactNode;
};

/** A screen: its heading, what can be done on it, and what it shows. */
export function Page({ title, part, actions, beside, children }: PageProps) {
  useEffect(() => {
    document.title = [...(part === undefined ? [] : [part]), title, 'Sextant'].join(' · ');
  }, [title, part]);
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Group gap="sm" style={{ minWidth: 0 }}>
          <Title order={1} size="h3" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {beside}
        </Group>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
