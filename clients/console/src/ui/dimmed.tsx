// SPDX-License-Identifier: Apache-2.0
import { Text, type TextProps } from '@mantine/core';
import type { ComponentProps } from 'react';

type DimmedProps = TextProps & Omit<ComponentProps<'p'>, keyof TextProps>;

/** Text of second rank: a hint, a count, what stands where there is nothing. */
export function Dimmed(props: DimmedProps) {
  return <Text size="sm" c="dimmed" {...props} />;
}
