import { Button, Text } from '@mantine/core';
import { countText } from './figures.ts';

type StateButtonProps = { readonly label: string; readonly count: number; readonly isChosen: boolean; readonly onChoose: () => void };

/** One of several states that a list is narrowed to, with how many there are. */
export function StateButton({ label, count, isChosen, onChoose }: StateButtonProps) {
  return (
    <Button size="compact-xs" variant={isChosen ? 'filled' : 'default'} aria-pressed={isChosen} onClick={onChoose} fw={500}>
      {label}
      <Text span inherit ml={6} fw={600}>
        {countText(count)}
      </Text>
    </Button>
  );
}
