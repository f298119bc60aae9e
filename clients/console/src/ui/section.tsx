// SPDX-License-Identifier: Apache-2.0
import { Box, Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Dimmed } from './dimmed.tsx';

type SectionProps = { readonly id: string; readonly title: string; readonly beside?: ReactNode; readonly children: ReactNode };

/** A part of a screen with a heading that names it. */
export function Section({ id, title, beside, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {beside}
      </Group>
      {children}
    </section>
  );
}

type SettingsPartProps = {
  readonly title: string;
  /** What it is for, in a sentence. */
  readonly purpose: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** One part of the settings: what it is for, what can be done, what is set. */
export function SettingsPart({ title, purpose, actions, children }: SettingsPartProps) {
  const id = useId();
  return (
    <Stack component="section" gap="md" aria-labelledby={id}>
      <Group justify="space-between" align="start" gap="sm">
        <Box style={{ flex: '1 1 280px' }}>
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          <Dimmed maw={640}>{purpose}</Dimmed>
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
