// SPDX-License-Identifier: Apache-2.0
import { Group, Text, UnstyledButton } from '@mantine/core';
import { Dimmed } from '../../ui/dimmed.tsx';
import { countText } from '../../ui/figures.ts';
import type { Colouring } from './colouring.ts';

type LegendProps = {
  readonly colouring: Colouring;
  /** The place of the colour that alone is shown. */
  readonly isolated: number | undefined;
  readonly onIsolate: (place: number | undefined) => void;
};

/** What the colours mean, and of how many points. One that is pressed makes the others faint. */
export function Legend({ colouring: { legend, isScale, colours }, isolated, onIsolate }: LegendProps) {
  return (
    <Group gap={6} aria-label={isScale ? 'Scale, from low to high' : 'Legend'} role="group">
      {legend.map(({ label, colour, count }) => {
        const place = colours.indexOf(colour);
        const isChosen = isolated === place;
        return (
          <UnstyledButton
            key={label}
            aria-pressed={isChosen}
            onClick={() => onIsolate(isChosen ? undefined : place)}
            px={6}
            py={2}
            style={{
              borderRadius: 'var(--mantine-radius-sm)',
              border: `1px solid ${isChosen ? 'var(--mantine-primary-color-filled)' : 'transparent'}`,
              opacity: isolated === undefined || isChosen ? 1 : 0.55,
            }}
          >
            <Group gap={6} wrap="nowrap">
              <span style={{ flex: '0 0 10px', height: 10, borderRadius: isScale ? 2 : 5, background: colour }} />
              <Text size="xs" truncate maw={180}>
                {label}
              </Text>
              <Dimmed size="xs">{countText(count)}</Dimmed>
            </Group>
          </UnstyledButton>
        );
      })}
    </Group>
  );
}
