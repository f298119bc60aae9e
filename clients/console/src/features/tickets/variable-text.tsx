// SPDX-License-Identifier: Apache-2.0
import { Combobox, Group, Text, Textarea, useCombobox } from '@mantine/core';
import { useRef, useState } from 'react';
import { VARIABLES, variableBegun, withVariable } from './variables.ts';

type VariableTextProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** A text in which variables are offered once `${` is written, and by Ctrl and space. */
export function VariableText({ label, value, onChange }: VariableTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [begun, setBegun] = useState('');
  const options = VARIABLES.filter(({ name }) => name.includes(begun));
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const look = (text: string, caret: number) => {
    const written = variableBegun(text, caret);
    if (written === undefined) return combobox.closeDropdown();
    setBegun(written);
    combobox.openDropdown();
    combobox.selectFirstOption();
  };
  const insert = (name: string) => {
    const place = withVariable(value, field.current?.selectionStart ?? value.length, name);
    onChange(place.text);
    combobox.closeDropdown();
    // Once the new text is there.
    requestAnimationFrame(() => field.current?.setSelectionRange(place.caret, place.caret));
  };
  return (
    <Combobox store={combobox} onOptionSubmit={insert} position="bottom-start">
      <Combobox.Target withAriaAttributes={false}>
        <Textarea
          ref={field}
          aria-label={label}
          value={value}
          onChange={({ currentTarget: { value: text, selectionStart } }) => {
            onChange(text);
            look(text, selectionStart);
          }}
          onClick={({ currentTarget: { value: text, selectionStart } }) => look(text, selectionStart)}
          onKeyDown={(event) => {
            if (!event.ctrlKey || event.key !== ' ') return;
            event.preventDefault();
            setBegun('');
            combobox.openDropdown();
          }}
          onBlur={() => combobox.closeDropdown()}
          autosize
          minRows={1}
          maxRows={12}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={options.length === 0}>
        <Combobox.Options mah={220} style={{ overflowY: 'auto' }} aria-label="Variables">
          {options.map(({ name, meaning }) => (
            <Combobox.Option key={name} value={name}>
              <Group gap="xs" justify="space-between" wrap="nowrap">
                <Text size="xs" ff="monospace">
                  {name}
                </Text>
                <Text size="xs" truncate style={{ opacity: 0.8 }}>
                  {meaning}
                </Text>
              </Group>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
