// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Text, Textarea } from '@mantine/core';
import { useRef } from 'react';
import { textField } from './fields.ts';
import type { JsonProblem } from './json.ts';

type JsonEditorProps = {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Where the text stops being JSON. */
  readonly problem: JsonProblem | undefined;
  /** What is wrong with it though it is JSON. */
  readonly fault?: string | undefined;
};

/** A text that is to become JSON, with what is wrong and a way to the place. */
export function JsonEditor({ label, text, onChange, problem, fault }: JsonEditorProps) {
  const editor = useRef<HTMLTextAreaElement>(null);
  const goThere = () => {
    editor.current?.focus();
    if (problem !== undefined) editor.current?.setSelectionRange(problem.position, Math.min(text.length, problem.position + 1));
  };
  return (
    <>
      <Textarea
        ref={editor}
        aria-label={label}
        {...textField(text, onChange)}
        error={problem !== undefined || fault !== undefined}
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        data-autofocus
      />
      {problem !== undefined && (
        <Group gap="xs" role="status">
          <Text size="sm" c="var(--mantine-color-error)">
            Line {problem.line}, column {problem.column}: {problem.message}
          </Text>
          <Button variant="subtle" size="compact-xs" onClick={goThere}>
            Go there
          </Button>
        </Group>
      )}
      {problem === undefined && fault !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="status">
          {fault}
        </Text>
      )}
    </>
  );
}
