// SPDX-License-Identifier: Apache-2.0
/** Incidents in numbers: per day, and how fast they are closed. */
import type { IncidentDistribution, IncidentFilter, IncidentSummary } from '@sextant/contracts-observability';
import type { TenantScope } from '../database/scope.ts';
import { dayName, toDay, toMs } from '../database/values.ts';
import { MetadataRefused } from '../errors.ts';
import { incidentCondition } from './incident-filter.ts';

/** A hundred years: whoever asks "since ever" gets an answer, and the answer stays below 5 MB. */
const DAYS_MAX = 36_600;
const HOUR_MS = 3_600_000;
/** The period of the mean times to resolve. */
const PERIOD_MS = 30 * 24 * HOUR_MS;

type DayCount = {
  readonly created_day: number;
  readonly severity: string;
  readonly impact: string | null;
  readonly count: number;
};

/**
 * One row per UTC day, days without incidents included, from the day of `from_time` (else the first incident's) to that of `to_time`
 * (else the last incident's).
 *
 * @throws MetadataRefused when those are more than 36,600 days
 */
export async function distribution(scope: TenantScope, filter: IncidentFilter): Promise<IncidentDistribution> {
  const counts: readonly DayCount[] = await scope.db
    .selectFrom('incidents')
    .select((select) => ['created_day', 'severity', 'impact', select.fn.countAll<number>().as('count')])
    .where((where) => incidentCondition(where, scope, filter))
    .groupBy(['created_day', 'severity', 'impact'])
    .orderBy('created_day')
    .execute();
  const first = filter.from_time === undefined ? counts[0]?.created_day : toDay(toMs(filter.from_time));
  const last = filter.to_time === undefined ? counts.at(-1)?.created_day : toDay(toMs(filter.to_time));
  if (first === undefined || last === undefined || last < first) return { incidents: [] };
  const days = last - first + 1;
  if (days > DAYS_MAX) {
    throw new MetadataRefused(`The distribution would have ${days} days; narrow it to ${DAYS_MAX} with from_time and to_time.`);
  }
  const byDay = Map.groupBy(counts, (count) => count.created_day);
  return { incidents: Array.from({ length: days }, (_, index) => countDay(first + index, byDay.get(first + index) ?? [])) };
}

function countDay(day: number, counts: readonly DayCount[]): IncidentDistribution['incidents'][number] {
  const severities = { LOW: 0, MEDIUM: 0, HIGH: 0, '': 0 };
  const impacts = { LOW: 0, MEDIUM: 0, HIGH: 0 };
  for (const { severity, impact, count } of counts) {
    if (isKeyOf(severities, severity)) severities[severity] += count;
    if (impact !== null && isKeyOf(impacts, impact)) impacts[impact] += count;
  }
  return { date: dayName(day), counts: severities, counts_by_impact: impacts };
}

function isKeyOf<Counts extends object>(counts: Counts, key: string): key is Extract<keyof Counts, string> {
  return Object.hasOwn(counts, key);
}

/** Of all incidents of the tenant. The mean times are of those closed in the last 30 days and in the 30 days before. */
export async function summary({ db, clock, own }: TenantScope): Promise<IncidentSummary> {
  const statuses = await own(db)
    .selectFrom('incidents')
    .select((select) => ['status', select.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
  const tags = await own(db)
    .selectFrom('incident_tags')
    .select((select) => ['status', 'tag', select.fn.countAll<number>().as('count')])
    .groupBy(['status', 'tag'])
    .orderBy('tag')
    .execute();
  const countOf = (status: string) => statuses.find((row) => row.status === status)?.count ?? 0;
  const tagsOf = (status: string) => Object.fromEntries(tags.filter((row) => row.status === status).map(({ tag, count }) => [tag, count]));

  /** Hours, rounded half up; 0 when none was closed after the first time and not after the second. */
  const meanHours = async (afterMs: number, untilMs: number): Promise<number> => {
    const { total, count } = await own(db)
      .selectFrom('incidents')
      .select((select) => {
        const durationMs = select.cast<number>(select('closed_ms', '-', select.ref('created_ms')), 'double precision');
        return [select.fn.sum<number | null>(durationMs).as('total'), select.fn.countAll<number>().as('count')];
      })
      .where('closed_ms', '>', afterMs)
      .where('closed_ms', '<=', untilMs)
      .executeTakeFirstOrThrow();
    return count === 0 ? 0 : Math.floor((total ?? 0) / count / HOUR_MS + 0.5);
  };
  const nowMs = clock.nowMs();
  const open = countOf('OPEN');
  const closed = countOf('CLOSED');
  return {
    total: open + closed,
    open,
    closed,
    mean_time_to_resolve: await meanHours(nowMs - PERIOD_MS, nowMs),
    previous_mean_time_to_resolve: await meanHours(nowMs - 2 * PERIOD_MS, nowMs - PERIOD_MS),
    open_by_tag: tagsOf('OPEN'),
    closed_by_tag: tagsOf('CLOSED'),
  };
}
