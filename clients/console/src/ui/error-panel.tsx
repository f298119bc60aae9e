// SPDX-License-Identifier: Apache-2.0
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

type ErrorPanelProps = {
  readonly error: unknown;
  /** What could not be done, to follow "Could not". */
  readonly doing: string;
  readonly onRetry?: () => void;
};

/** Says what happened in the words of the service. */
export function ErrorPanel({ error, doing, onRetry }: ErrorPanelProps) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={`Could not ${doing}`} role="alert">
      <Text size="sm">{messageOf(error)}</Text>
      {onRetry !== undefined && (
        <Group mt="xs">
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
