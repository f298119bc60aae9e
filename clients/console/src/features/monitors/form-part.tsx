// SPDX-License-Identifier: Apache-2.0
import { Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Dimmed } from '../../ui/dimmed.tsx';
import type { MonitorForm } from './monitor-form.ts';

export type FormPartProps = {
  readonly form: MonitorForm;
  readonly change: (part: Partial<MonitorForm>) => void;
  /** What the service says of a member of the monitor. */
  readonly errorAt: (member: string) => string | undefined;
};

/** Fields that belong together, under a heading. */
export function FormPart({
  title,
  purpose,
  children,
}: {
  readonly title: string;
  readonly purpose?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <div>
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {purpose !== undefined && <Dimmed size="xs">{purpose}</Dimmed>}
      </div>
      {children}
    </Stack>
  );
}
