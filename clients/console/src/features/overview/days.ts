/** The last days of the overview, with how many incidents began on each; days are days of UTC, as the service counts them. */
import type { IncidentDistribution } from '@sextant/sdk';

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
