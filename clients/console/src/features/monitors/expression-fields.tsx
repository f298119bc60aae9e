// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Menu, SegmentedControl, Switch, TagsInput, Textarea } from '@mantine/core';
import type { Attribute } from '@sextant/sdk';
import { IconChevronDown } from '@tabler/icons-react';
import { useRef } from 'react';
import { checkField, textField } from '../../ui/fields.ts';
import { examplesFor, quotedIn } from './expression-examples.ts';
import type { FormPartProps } from './form-part.tsx';
import { RuleVariables } from './rule-variables.tsx';

type ExpressionFieldsProps = FormPartProps & { readonly attributes: readonly Pick<Attribute, 'name' | 'data_type'>[] };

/** A rule, or an expression that gives a number. What it may say is offered beside it. */
export function ExpressionFields({ form, change, errorAt, attributes }: ExpressionFieldsProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isRule = form.type === 'RULE';
  const kind = isRule ? 'rule' : form.isSql ? 'sql' : 'metric';
  const insert = (text: string) => {
    const { selectionStart = form.expression.length, selectionEnd = form.expression.length } = field.current ?? {};
    change({ expression: form.expression.slice(0, selectionStart) + text + form.expression.slice(selectionEnd) });
    // Once the new text is there.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(selectionStart + text.length, selectionStart + text.length);
    });
  };
  return (
    <>
      {!isRule && (
        <SegmentedControl
          aria-label="Written as"
          data={[
            { value: 'expression', label: 'Expression' },
            { value: 'sql', label: 'SQL' },
          ]}
          value={form.isSql ? 'sql' : 'expression'}
          onChange={(value) => change({ isSql: value === 'sql' })}
        />
      )}
      <Textarea
        ref={field}
        label={isRule ? 'Rule' : form.isSql ? 'Statement' : 'Expression'}
        description={DESCRIPTIONS[kind]}
        {...textField(form.expression, (expression) => change({ expression }))}
        error={errorAt('monitor.expression')}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        spellCheck={false}
        autosize
        minRows={3}
        required
      />
      <Group gap="xs">
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" rightSection={<IconChevronDown size={14} />}>
              Start with an example
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {examplesFor(kind, attributes).map(({ label, text }) => (
              <Menu.Item key={label} onClick={() => change({ expression: text })}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {attributes.length > 0 && (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="default" rightSection={<IconChevronDown size={14} />}>
                Insert an attribute
              </Button>
            </Menu.Target>
            <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
              {attributes.map(({ name }) => (
                <Menu.Item key={name} onClick={() => insert(quotedIn(kind, name))}>
                  {name}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {!form.isSql && (
        <Switch
          label={isRule ? 'Ignore records without a value' : 'Ignore nulls in counts and averages'}
          {...checkField(form.ignoresNulls, (ignoresNulls) => change({ ignoresNulls }))}
        />
      )}
      {isRule && (
        <>
          <TagsInput
            label="Values that count as empty"
            description="Values that count as missing, such as n/a or -"
            value={[...form.emptyValues]}
            onChange={(emptyValues) => change({ emptyValues })}
            error={errorAt('monitor.options')}
          />
          <RuleVariables
            variables={form.variables}
            attributes={attributes.map(({ name }) => name)}
            onChange={(variables) => change({ variables })}
            errorAt={errorAt}
          />
        </>
      )}
    </>
  );
}

const DESCRIPTIONS = {
  rule: 'VALIDATE value EXPECT condition. Write attribute names as they are, or in backticks.',
  metric: 'Arithmetic over min, max, count, avg, sum, distinct, variance, median and stddev; GROUP BY up to four attributes.',
  sql: 'One SELECT on the table asset that returns one number.',
} as const;
