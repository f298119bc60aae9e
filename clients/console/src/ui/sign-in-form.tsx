// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Paper, PasswordInput, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from './error-panel.tsx';
import { textField } from './fields.ts';
import { Form } from './form.tsx';

export type SignInField<Name extends string> = {
  readonly name: Name;
  readonly label: string;
  readonly isSecret?: boolean;
  readonly initial?: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly autoComplete?: 'username' | 'current-password' | 'new-password' | 'off';
};

type Values<Name extends string> = { readonly [field in Name]: string };

type SignInFormProps<Name extends string> = {
  /** Left out where the screen itself is called so. */
  readonly title?: string;
  /** What the credential is for, and how long it is kept. */
  readonly note: string;
  readonly fields: readonly SignInField<Name>[];
  /** The word on the button. */
  readonly verb: string;
  /** What could not be done, to follow "Could not". */
  readonly doing: string;
  /** Whether there is a form beside it that most people want. */
  readonly isSecondary?: boolean;
  readonly onSubmit: (values: Values<Name>) => Promise<void>;
};

/** Where a credential is given, to whichever service. Every field is required. */
export function SignInForm<Name extends string>(props: SignInFormProps<Name>) {
  const { title, note, fields, verb, doing, isSecondary = false, onSubmit } = props;
  // Each name of a field is there, which the type of `fromEntries` does not say.
  const [values, setValues] = useState(() => Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])) as Values<Name>);
  const attempt = useMutation({ mutationFn: () => onSubmit(values) });
  return (
    <Paper withBorder p="md" maw={440}>
      <Form onSubmit={() => attempt.mutate()}>
        {title !== undefined && (
          <Title order={2} size="h5">
            {title}
          </Title>
        )}
        <Text size="sm">{note}</Text>
        {fields.map(({ name, isSecret = false, initial: _initial, ...field }) => {
          const Input = isSecret ? PasswordInput : TextInput;
          return (
            <Input
              key={name}
              {...field}
              spellCheck={false}
              {...textField(values[name], (text) => setValues({ ...values, [name]: text }))}
              required
            />
          );
        })}
        {attempt.isError && <ErrorPanel error={attempt.error} doing={doing} />}
        <Group>
          <Button type="submit" variant={isSecondary ? 'default' : 'filled'} loading={attempt.isPending}>
            {verb}
          </Button>
        </Group>
      </Form>
    </Paper>
  );
}
