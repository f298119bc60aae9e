// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';
import { textField } from './fields.ts';
import { countText } from './figures.ts';
import { useTyped } from './use-typed.ts';

type Option = { readonly value: string; readonly label: string };

type Choice = {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly width: number;
};

type States<State extends string> = {
  readonly label: string;
  readonly options: readonly { readonly value: State; readonly label: string; readonly count: number }[];
  /** How many items there are in any state. */
  readonly total: number;
  /** Undefined for any. */
  readonly chosen: State | undefined;
  readonly onChoose: (state: State | undefined) => void;
};

type FilteredListProps<State extends string> = {
  readonly search: { readonly label: string; readonly value: string | undefined; readonly onChange: (value: string | undefined) => void };
  readonly choices: readonly Choice[];
  readonly states: States<State>;
  /** Shown beside the states, such as that more is being read. */
  readonly status?: ReactNode;
  /** Shown in place of the list if nothing passes the filters. */
  readonly none: { readonly title: string; readonly showAll: string; readonly onShowAll: () => void } | undefined;
  readonly children: ReactNode;
};

/** A list with its filters: a text, choices, and buttons for the states of its items, each with how many there are. */
export function FilteredList<State extends string>({ search, choices, states, status, none, children }: FilteredListProps<State>) {
  const typed = useTyped(search.value, search.onChange);
  return (
    <>
      <Group gap="xs">
        <TextInput
          aria-label={search.label}
          placeholder={search.label}
          {...textField(typed.text, typed.type)}
          style={{ flex: '1 1 220px' }}
          maw={360}
        />
        {choices.map(({ label, options, value, onChange, width }) => (
          <Select
            key={label}
            aria-label={label}
            placeholder={`Any ${label.toLowerCase()}`}
            data={options}
            value={value ?? null}
            onChange={(chosen) => onChange(chosen ?? undefined)}
            limit={100}
            clearable
            searchable
            w={width}
          />
        ))}
      </Group>
      <Group gap={6} role="group" aria-label={states.label}>
        <StateButton label="All" count={states.total} isChosen={states.chosen === undefined} onChoose={() => states.onChoose(undefined)} />
        {states.options.map(({ value, label, count }) => (
          <StateButton key={value} label={label} count={count} isChosen={states.chosen === value} onChoose={() => states.onChoose(value)} />
        ))}
        {status}
      </Group>
      {none === undefined ? (
        children
      ) : (
        <EmptyState
          title={none.title}
          action={
            <Button variant="default" onClick={none.onShowAll}>
              {none.showAll}
            </Button>
          }
        />
      )}
    </>
  );
}

type StateButtonProps = { readonly label: string; readonly count: number; readonly isChosen: boolean; readonly onChoose: () => void };

/** One of several states that a list is narrowed to, with how many there are. */
function StateButton({ label, count, isChosen, onChoose }: StateButtonProps) {
  return (
    <Button size="compact-xs" variant={isChosen ? 'filled' : 'default'} aria-pressed={isChosen} onClick={onChoose} fw={500}>
      {label}
      <Text span inherit ml={6} fw={600}>
        {countText(count)}
      </Text>
    </Button>
  );
}
