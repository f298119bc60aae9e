/** The mean time to resolve, and how it changed. The service says whole hours, and 0 where nothing was resolved. */
import type { IncidentSummary } from '@sextant/sdk';

type Times = Pick<IncidentSummary, 'mean_time_to_resolve' | 'previous_mean_time_to_resolve'>;

export type ResolveTime = {
  readonly value: string;
  readonly change: 'faster' | 'slower' | 'same' | 'unknown';
  readonly note: string;
};

export function resolveTime({ mean_time_to_resolve: now, previous_mean_time_to_resolve: before }: Times): ResolveTime {
  if (now === 0) return { value: '–', change: 'unknown', note: 'nothing resolved in 30 days, or within half an hour' };
  const value = hoursText(now);
  if (before === 0) return { value, change: 'unknown', note: 'nothing to compare with in the 30 days before' };
  if (now === before) return { value, change: 'same', note: 'as in the 30 days before' };
  const change = now < before ? 'faster' : 'slower';
  return { value, change, note: `${hoursText(Math.abs(now - before))} ${change} than in the 30 days before` };
}

function hoursText(hours: number): string {
  return hours < 48 ? `${hours} h` : `${(hours / 24).toFixed(1)} days`;
}
