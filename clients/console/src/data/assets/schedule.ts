// SPDX-License-Identifier: Apache-2.0
/** When an asset is scanned by itself: cron expressions of five fields in UTC, read as the service reads them. */
import { Cron } from 'croner';

const OPTIONS = { timezone: 'UTC', mode: '5-part' } as const;

/** Why a text is no schedule, or undefined when it is one. */
export function cronProblem(expression: string): string | undefined {
  try {
    new Cron(expression, OPTIONS);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
  }
}

/** The next times of a valid expression. */
export function nextRuns(expression: string, afterMs: number, count: number): readonly number[] {
  return new Cron(expression, OPTIONS).nextRuns(count, new Date(afterMs)).map((each) => each.getTime());
}

/** The last time at which a valid expression asked for a scan; null when there was none. */
export function lastDue(expression: string, beforeMs: number): number | null {
  return new Cron(expression, OPTIONS).previousRuns(1, new Date(beforeMs))[0]?.getTime() ?? null;
}
