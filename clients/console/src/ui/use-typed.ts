// SPDX-License-Identifier: Apache-2.0
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

/** Between the last key and the question. */
const TYPING_MS = 200;

type Typed = { readonly text: string; readonly type: (text: string) => void };

/** The text of a field that asks once one stops typing, and whose value stands in the address. */
export function useTyped(value: string | undefined, ask: (value: string | undefined) => void): Typed {
  const [text, setText] = useState(value ?? '');
  const asked = useRef(value);
  const askLater = useDebouncedCallback((written: string) => {
    asked.current = written.trim() || undefined;
    ask(asked.current);
  }, TYPING_MS);
  // A text that came from elsewhere, such as a chip that was taken away; its own question never overwrites what was typed since.
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setText(value ?? '');
  }, [value]);
  const type = (written: string) => {
    setText(written);
    askLater(written);
  };
  return { text, type };
}
