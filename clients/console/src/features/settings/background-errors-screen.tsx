// SPDX-License-Identifier: Apache-2.0
import { Box, Button, Code, Collapse, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { BackgroundError } from '@sextant/sdk';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { backgroundErrors } from '../../data/background-errors.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ListPart } from '../../ui/list-frame.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Moment } from '../../ui/time.tsx';

const STEP = 50;
/** The service keeps no more. */
const KEPT = 1000;

/** What failed where nobody was looking. */
export function BackgroundErrorsScreen() {
  const { observability } = useServices();
  const [limit, setLimit] = useState(STEP);
  const errors = useQuery(backgroundErrors(observability, limit));
  return (
    <ListPart
      title="Background errors"
      purpose="Lists scans that could not be evaluated, messages that could not be delivered and reports that could not be written. The newest 1,000 errors are kept."
      query={errors}
      doing="list the errors"
      skeletonPx={240}
      empty={{ title: 'Nothing failed', text: 'Errors of background work are listed here, newest first.' }}
    >
      {(shown) => (
        <>
          <Paper withBorder component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Background errors">
            {shown.map((error, place) => (
              // Errors have no id, and two may be the same in every word.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <ErrorRow key={`${error.timestamp} ${place}`} error={error} isFirst={place === 0} />
            ))}
          </Paper>
          <LoadMore
            shown={shown.length}
            onMore={shown.length >= limit && limit < KEPT ? () => setLimit(Math.min(KEPT, limit + STEP)) : undefined}
            isLoading={errors.isPlaceholderData}
          />
        </>
      )}
    </ListPart>
  );
}

function ErrorRow({ error, isFirst }: { readonly error: BackgroundError; readonly isFirst: boolean }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Box
      component="li"
      p="sm"
      style={{ borderTop: isFirst ? undefined : '1px solid var(--mantine-color-default-border)', overflowWrap: 'anywhere' }}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {error.error_class}
        </Text>
        <Dimmed size="xs">
          <Moment at={error.timestamp} />
        </Dimmed>
      </Group>
      <Text size="sm">{error.message}</Text>
      {error.stack_trace !== '' && (
        <>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            px={0}
            leftSection={<Chevron size={12} />}
            onClick={toggle}
            aria-expanded={isOpen}
            aria-controls={id}
          >
            {error.exception_type}
          </Button>
          <Collapse expanded={isOpen} id={id}>
            <Stack>
              <Code block mah={320} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }} tabIndex={0}>
                {error.stack_trace}
              </Code>
            </Stack>
          </Collapse>
        </>
      )}
    </Box>
  );
}
