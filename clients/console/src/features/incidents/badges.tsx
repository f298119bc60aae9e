import { Badge } from '@mantine/core';
import type { Incident } from '@sextant/sdk';

const IMPACT_COLOURS = { HIGH: 'red', MEDIUM: 'orange', LOW: 'yellow' } as const;

export function ImpactBadge({ impact }: Pick<Incident, 'impact'>) {
  if (impact === null) return null;
  return (
    <Badge variant="dot" color={IMPACT_COLOURS[impact]}>
      {impact.toLowerCase()}
    </Badge>
  );
}

export function IncidentStatusBadge({ status }: Pick<Incident, 'status'>) {
  return (
    <Badge variant={status === 'OPEN' ? 'filled' : 'default'} color={status === 'OPEN' ? 'chart' : 'gray'}>
      {status.toLowerCase()}
    </Badge>
  );
}
