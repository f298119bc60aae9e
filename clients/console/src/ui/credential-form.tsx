import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import { ErrorPanel } from './error-panel.tsx';

type CredentialFormProps = {
  /** Left out where the screen itself is called so. */
  readonly title?: string;
  /** What the credential is for, and how long it is kept. */
  readonly note: ReactNode;
  /** The word on the button. */
  readonly verb: string;
  /** Whether there is a form beside it that most people want. */
  readonly isSecondary?: boolean;
  readonly children: ReactNode;
  readonly error: unknown;
  /** What could not be done, to follow "Could not". */
  readonly doing: string;
  readonly isPending: boolean;
  readonly onSubmit: () => void;
};

/** Where somebody says who they are, at whichever service. */
export function CredentialForm({ title, note, verb, isSecondary, children, error, doing, isPending, onSubmit }: CredentialFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Paper withBorder p="md" maw={440}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {title !== undefined && (
            <Title order={2} size="h5">
              {title}
            </Title>
          )}
          <Text size="sm">{note}</Text>
          {children}
          {error !== null && error !== undefined && <ErrorPanel error={error} doing={doing} />}
          <Group>
            <Button type="submit" variant={isSecondary === true ? 'default' : 'filled'} loading={isPending}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
