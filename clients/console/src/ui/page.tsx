import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

type PageProps = { readonly title: string; readonly children: ReactNode; readonly actions?: ReactNode; readonly beside?: ReactNode };

/** A screen: its heading, what can be done on it, and what it shows. */
export function Page({ title, actions, beside, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Sextant`;
  }, [title]);
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
