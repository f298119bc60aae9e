// SPDX-License-Identifier: Apache-2.0
/** What the overview counts: the incidents of each day, and the time to resolve one. */
import type { IncidentDistribution, IncidentSummary } from '@sextant/sdk';

export const DAYS = 30;
const DAY_MS = 86_400_000;

export const LEVELS = ['HIGH', 'MEDIUM', 'LOW', 'NONE'] as const;
export type Level = (typeof LEVELS)[number];
export type Day = { readonly date: string; readonly total: number; readonly counts: { readonly [Of in Level]: number } };

/** From the first to the last of the days that end at a time. */
export function lastDays(nowMs: number): { readonly from: string; readonly to: string } {
  return { from: dateOf(nowMs - (DAYS - 1) * DAY_MS), to: dateOf(nowMs) };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** `NONE` is what no impact was said of. */
export function daysOf({ incidents }: IncidentDistribution): readonly Day[] {
  return incidents.map(({ date, counts: bySeverity, counts_by_impact: byImpact }) => {
    const total = bySeverity.LOW + bySeverity.MEDIUM + bySeverity.HIGH + bySeverity[''];
    return { date, total, counts: { ...byImpact, NONE: total - byImpact.LOW - byImpact.MEDIUM - byImpact.HIGH } };
  });
}

export const LEVEL_LABELS: { readonly [Of in Level]: string } = { HIGH: 'high', MEDIUM: 'medium', LOW: 'low', NONE: 'not rated' };

export function dayText({ date, total, counts }: Day): string {
  const parts = LEVELS.filter((level) => counts[level] > 0).map((level) => `${counts[level]} ${LEVEL_LABELS[level]}`);
  return `${date}: ${total === 1 ? '1 incident' : `${total} incidents`}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
}

type Times = Pick<IncidentSummary, 'mean_time_to_resolve' | 'previous_mean_time_to_resolve'>;

export type ResolveTime = {
  readonly value: string;
  readonly change: 'faster' | 'slower' | 'same' | 'unknown';
  readonly note: string;
};

export function resolveTime({ mean_time_to_resolve: now, previous_mean_time_to_resolve: before }: Times): ResolveTime {
  if (now === 0) return { value: '–', change: 'unknown', note: 'no incident resolved in the last 30 days, or all within half an hour' };
  const value = hoursText(now);
  if (before === 0) return { value, change: 'unknown', note: 'no value for the 30 days before that' };
  if (now === before) return { value, change: 'same', note: 'same as in the 30 days before that' };
  const change = now < before ? 'faster' : 'slower';
  return { value, change, note: `${hoursText(Math.abs(now - before))} ${change} than in the 30 days before that` };
}

function hoursText(hours: number): string {
  return hours < 48 ? `${hours} h` : `${(hours / 24).toFixed(1)} days`;
}
