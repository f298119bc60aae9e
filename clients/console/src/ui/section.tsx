import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';

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
