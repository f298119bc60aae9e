// SPDX-License-Identifier: Apache-2.0
import { Badge, Button, Group, Paper, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { sparkConfig } from '../../data/configurations.ts';
import { queryClient } from '../../data/services/query-client.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Form } from '../../ui/form.tsx';
import type { Block, BlockName } from './blocks.ts';

type BlockCardProps = {
  readonly block: BlockName;
  readonly title: string;
  readonly purpose: string;
  readonly isStored: boolean;
  /** What the fields make; undefined where they are empty. */
  readonly written: Block | undefined;
  /** Whether that differs from what is stored. */
  readonly isChanged: boolean;
  /** Whether a field says itself that it cannot be saved. */
  readonly isRefused?: boolean;
  readonly onReset: () => void;
  /** The fields, given what went wrong when they were saved. */
  readonly children: (error: unknown) => ReactNode;
  /** Whether a field says what went wrong. */
  readonly isSaid: (error: unknown) => boolean;
};

/** The frame of one block: what it is for, whether it is set, and the ways to change it alone. */
export function BlockCard(props: BlockCardProps) {
  const { block, title, purpose, isStored, written, isChanged, isRefused = false, onReset, children, isSaid } = props;
  const { observability } = useServices();
  const id = useId();
  const [isClearing, { open, close }] = useDisclosure(false);
  const put = async (value: Block | null) =>
    // The service validates the fields against the contract, and says which of them is wrong.
    queryClient.setQueryData(sparkConfig(observability).queryKey, await observability.putSparkJobConfig({ [block]: value }));
  const saving = useMutation({ mutationFn: () => put(written ?? null) });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Form onSubmit={() => saving.mutate()} h="100%">
        <div>
          <Group gap="xs">
            <Title order={3} size="h6" id={id}>
              {title}
            </Title>
            <Badge variant={isStored ? 'light' : 'default'}>{isStored ? 'set' : 'not set'}</Badge>
          </Group>
          <Dimmed size="xs">{purpose}</Dimmed>
        </div>
        {children(saving.error)}
        {saving.isError && !isSaid(saving.error) && <ErrorPanel error={saving.error} doing="save the block" />}
        <Group gap="xs" mt="auto">
          <Button type="submit" disabled={!isChanged || isRefused || written === undefined} loading={saving.isPending}>
            Save
          </Button>
          {isChanged && (
            <Button
              variant="default"
              onClick={() => {
                saving.reset();
                onReset();
              }}
            >
              Discard the changes
            </Button>
          )}
          {isStored && (
            <Button variant="subtle" color="red" ml="auto" onClick={open}>
              Clear
            </Button>
          )}
        </Group>
      </Form>
      {isClearing && (
        <Confirm title={`Clear ${title}?`} verb="Clear" doing="clear the block" act={() => put(null)} onClose={close}>
          Deletes the values of this block; the other blocks stay.
        </Confirm>
      )}
    </Paper>
  );
}
