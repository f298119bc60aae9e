// SPDX-License-Identifier: Apache-2.0
/** Cron expressions of five fields, read as UTC. */
import { Cron } from 'croner';

const OPTIONS = { timezone: 'UTC', mode: '5-part' } as const;

/** Why a text is no schedule, or undefined when it is one. */
export function cronProblem(expression: string): string | undefined {
  try {
    new Cron(expression, OPTIONS);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `expected five fields of cron (minute, hour, day, month, weekday), such as "0 6 * * 1": ${reason}`;
  }
}

/** The first time of a valid expression after `afterMs`; null when there is none, as for 30 February. */
export function nextRun(expression: string, afterMs: number): string | null {
  return new Cron(expression, OPTIONS).nextRun(new Date(afterMs))?.toISOString() ?? null;
}
