// SPDX-License-Identifier: Apache-2.0
import { Button, Group } from '@mantine/core';
import { Dimmed } from './dimmed.tsx';
import { countText } from './figures.ts';

type LoadMoreProps = {
  readonly shown: number;
  /** Undefined where everything is there. */
  readonly onMore: (() => void) | undefined;
  readonly isLoading: boolean;
};

/** The end of a table that shows its rows in pieces. */
export function LoadMore({ shown, onMore, isLoading }: LoadMoreProps) {
  return (
    <Group justify="center" gap="sm">
      <Dimmed size="xs" role="status">
        {onMore === undefined ? `All ${countText(shown)} shown` : `The newest ${countText(shown)}`}
      </Dimmed>
      {onMore !== undefined && (
        <Button variant="default" onClick={onMore} loading={isLoading}>
          Show more
        </Button>
      )}
    </Group>
  );
}
