// SPDX-License-Identifier: Apache-2.0
import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type TextLinkProps = AnchorProps & {
  readonly to: string;
  readonly children: ReactNode;
  readonly tabIndex?: number;
  readonly title?: string;
};

/** A link to another screen, in a text or a table. */
export function TextLink(props: TextLinkProps) {
  return <Anchor component={Link} size="sm" {...props} />;
}
