// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Button, Collapse, Group, Kbd, MultiSelect, Pill, SegmentedControl, SimpleGrid, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch, IconX } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { type Chip, chipsOf, type IncidentFilter, LABELS, LISTS, valuesOf, withoutChip, withValues } from '../../data/incidents/filter.ts';
import { textField } from '../../ui/fields.ts';
import { useTyped } from '../../ui/use-typed.ts';
import { useFilterChoices } from './filter-choices.ts';

/** Those that the bar does not have. */
const MORE = LISTS.filter((name) => name !== 'statuses');

type FilterBarProps = {
  readonly filter: IncidentFilter;
  readonly onChange: (filter: IncidentFilter) => void;
  readonly search: RefObject<HTMLInputElement | null>;
};

/** What the list is narrowed by: the most used beside each other, all others on demand, and what is chosen as chips. */
export function FilterBar({ filter, onChange, search }: FilterBarProps) {
  const [isMore, more] = useDisclosure(false);
  const choices = useFilterChoices();
  const chips = chipsOf(filter, choices.nameOf);
  const status = valuesOf(filter, 'statuses');
  return (
    <div>
      <Group gap="xs">
        <SegmentedControl
          aria-label="Status"
          data={[
            { value: '', label: 'All' },
            { value: 'OPEN', label: 'Open' },
            { value: 'CLOSED', label: 'Closed' },
          ]}
          value={status.length === 1 ? (status[0] ?? '') : ''}
          onChange={(value) => onChange(withValues(filter, 'statuses', value === '' ? [] : [value]))}
        />
        <SearchField filter={filter} onChange={onChange} search={search} />
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={14} />}
          onClick={more.toggle}
          aria-expanded={isMore}
          aria-controls="incident-filters"
        >
          {isMore ? 'Fewer filters' : 'More filters'}
        </Button>
      </Group>
      <Collapse expanded={isMore} id="incident-filters">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="xs" pt="xs">
          {MORE.map((name) => (
            <MultiSelect
              key={name}
              label={LABELS[name]}
              placeholder={filter[name] === undefined ? 'any' : ''}
              data={dataOf(choices.of(name), valuesOf(filter, name))}
              value={valuesOf(filter, name)}
              onChange={(values) => onChange(withValues(filter, name, values))}
              searchable
              hidePickedOptions
              nothingFoundMessage="None"
              limit={100}
            />
          ))}
          {(['from', 'to'] as const).map((name) => (
            <TextInput
              key={name}
              label={`${LABELS[name]} (UTC)`}
              type="date"
              {...textField(filter[name] ?? '', (text) => onChange({ ...filter, [name]: text || undefined }))}
            />
          ))}
        </SimpleGrid>
      </Collapse>
      {chips.length > 0 && (
        <Group gap={6} pt="xs" role="group" aria-label="Filtered by">
          {chips.map((chip) => (
            <FilterChip key={`${chip.name} ${chip.value}`} chip={chip} onRemove={() => onChange(withoutChip(filter, chip))} />
          ))}
          <Button variant="subtle" size="compact-xs" onClick={() => onChange({})}>
            Clear all
          </Button>
        </Group>
      )}
    </div>
  );
}

/** What is chosen can be taken back also where it is no longer among the choices. */
function dataOf(choices: readonly { readonly value: string; readonly label: string }[], chosen: readonly string[]) {
  const known = new Set(choices.map(({ value }) => value));
  return [...choices, ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value }))];
}

function FilterChip({ chip, onRemove }: { readonly chip: Chip; readonly onRemove: () => void }) {
  return (
    <Pill
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{ 'aria-label': `Remove ${chip.label}`, 'aria-hidden': undefined, tabIndex: 0 }}
      maw="100%"
    >
      {chip.label}
    </Pill>
  );
}

/** Asks once one stops typing. */
function SearchField({ filter, onChange, search }: FilterBarProps) {
  const { text, type } = useTyped(filter.text, (asked) => onChange({ ...filter, text: asked }));
  return (
    <TextInput
      ref={search}
      aria-label="Find in the names of monitors and assets"
      placeholder="Find a monitor or an asset"
      leftSection={<IconSearch size={14} />}
      rightSection={
        text === '' ? (
          <Kbd size="xs">/</Kbd>
        ) : (
          <ActionIcon size="xs" aria-label="Clear the search text" onClick={() => onChange({ ...filter, text: undefined })}>
            <IconX size={12} />
          </ActionIcon>
        )
      }
      {...textField(text, type)}
      style={{ flex: '1 1 220px', maxWidth: 420 }}
    />
  );
}
