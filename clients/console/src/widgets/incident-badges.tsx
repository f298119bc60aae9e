// SPDX-License-Identifier: Apache-2.0
import { Badge } from '@mantine/core';
import type { Incident } from '@sextant/sdk';
import { Dimmed } from '../ui/dimmed.tsx';

export const LEVEL_COLOURS = { HIGH: 'red', MEDIUM: 'orange', LOW: 'yellow' } as const;

/** An impact or a severity. Where nobody said how much depends on it there is a dash. */
export function LevelBadge({ level }: { readonly level: Incident['impact'] | null }) {
  if (level === null || level === '') {
    return <Dimmed span>–</Dimmed>;
  }
  return (
    <Badge variant="dot" color={LEVEL_COLOURS[level]}>
      {level.toLowerCase()}
    </Badge>
  );
}

/** An open one whose monitor cannot be evaluated is neither right nor wrong, and red. */
export function IncidentStatusBadge({ status, kind = 'VIOLATION' }: Pick<Incident, 'status'> & Partial<Pick<Incident, 'kind'>>) {
  const isErrored = status === 'OPEN' && kind === 'CANNOT_BE_EVALUATED';
  return (
    <Badge
      style={{ flexShrink: 0 }}
      variant={status === 'OPEN' ? 'filled' : 'default'}
      color={isErrored ? 'red' : status === 'OPEN' ? 'chart' : 'gray'}
    >
      {isErrored ? 'errored' : status.toLowerCase()}
    </Badge>
  );
}
