import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEventHandler } from 'react';

type DestructiveButtonProps = Pick<ButtonProps, 'children' | 'disabled' | 'loading'> & {
  readonly onClick: MouseEventHandler<HTMLButtonElement>;
};

/** The button that takes something away for good. The darkest red, for white letters on the usual one are too faint to read. */
export function DestructiveButton(props: DestructiveButtonProps) {
  return <Button color="red.9" {...props} />;
}
