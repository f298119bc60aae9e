// SPDX-License-Identifier: Apache-2.0
/** What the newest scans of an asset measured, series by series. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MetricName, MetricSeries } from '@sextant/contracts-observability';
import { sql } from 'kysely';
import { ownRows, type TenantScope } from '../database/scope.ts';
import { toMs, toTime } from '../database/values.ts';

/** Which scans of an asset are remembered: the newest ones before a time. */
export type RecentScans = {
  /** Exclusive. */
  readonly before?: string;
  /** At most 1,000. */
  readonly scans: number;
  readonly metric_names?: readonly MetricName[];
};

export type PastPoint = {
  readonly timeMs: number;
  readonly value: number | null;
  readonly isExcluded: boolean;
  readonly isExpected: boolean;
};

export type SeriesHistory = MetricSeries & {
  /** Oldest first. */
  readonly points: readonly PastPoint[];
};

export type FinishedScan = { readonly job_id: string; readonly metric_time: string; readonly end_time: string };

const SCANS_MAX = 1000;
const FINISHED_MAX = 10_000;
/** SQLite answers on our thread: after so many scans (20 ms of 2,000 series each) others have their turn. */
const SCANS_PER_READ = 4;

type Scope = Pick<TenantScope, 'tenantId' | 'db'>;

export async function seriesHistory(
  { tenantId, db }: Scope,
  assetId: string,
  { before, scans, metric_names }: RecentScans,
): Promise<readonly SeriesHistory[]> {
  const times = await scanTimes({ tenantId, db }, assetId, {
    beforeMs: before === undefined ? Number.MAX_SAFE_INTEGER : toMs(before),
    count: Math.min(scans, SCANS_MAX),
  });
  const found = new Map<string, MetricSeries & { readonly points: PastPoint[] }>();
  for (let start = 0; start < times.length; start += SCANS_PER_READ) {
    const read = times.slice(start, start + SCANS_PER_READ);
    let query = ownRows(db, tenantId)
      .selectFrom('metric_points')
      .select([
        'metric_ms',
        'metric_name',
        'metric_aggregation',
        'attribute',
        'segment',
        'monitor_id',
        'value',
        'is_excluded',
        'is_expected',
      ])
      .where('asset_id', '=', assetId)
      .where('metric_ms', '>=', read[0] ?? 0)
      .where('metric_ms', '<=', read.at(-1) ?? 0);
    if (metric_names !== undefined) query = query.where('metric_name', 'in', metric_names);
    for (const row of await query.orderBy('metric_ms').execute()) {
      const { metric_aggregation, attribute, segment, monitor_id, value } = row;
      const key = `${row.metric_name}\n${metric_aggregation}\n${quoted(attribute)}\n${quoted(segment)}\n${quoted(monitor_id)}`;
      let series = found.get(key);
      if (series === undefined) {
        // The store wrote the name from a `MetricPoint`.
        const metric_name = row.metric_name as MetricName;
        series = { metric_name, metric_aggregation, attribute, segment, monitor_id, points: [] };
        found.set(key, series);
      }
      series.points.push({ timeMs: row.metric_ms, value, isExcluded: row.is_excluded === 1, isExpected: row.is_expected === 1 });
    }
    await nextTurn();
  }
  // The databases give points of one scan in orders of their own.
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, series]) => series);
}

/** Null is another thing than the text of the same letters. */
function quoted(text: string | null): string {
  return text === null ? '' : `"${text}`;
}

/** Times of the newest scans, oldest first. Steps through the index from one time to the one before, and skips the points between. */
async function scanTimes(
  { tenantId, db }: Scope,
  assetId: string,
  { beforeMs, count }: { readonly beforeMs: number; readonly count: number },
): Promise<readonly number[]> {
  if (count < 1) return [];
  const newestBefore = (bound: ReturnType<typeof sql>) =>
    sql`select max(metric_ms) from metric_points where tenant_id = ${tenantId} and asset_id = ${assetId} and metric_ms < ${bound}`;
  const { rows } = await sql<{ readonly metric_ms: number }>`
    with recursive scans (metric_ms, rank) as (
      select (${newestBefore(sql`${beforeMs}`)}), 1
      union all
      select (${newestBefore(sql`scans.metric_ms`)}), rank + 1 from scans where scans.metric_ms is not null and rank < ${count}
    )
    select metric_ms from scans where metric_ms is not null order by metric_ms`.execute(db);
  return rows.map(({ metric_ms }) => metric_ms);
}

export async function finishedScans({ tenantId, db }: Scope, assetId: string, since: string): Promise<readonly FinishedScan[]> {
  const rows = await ownRows(db, tenantId)
    .selectFrom('jobs')
    .select(['id', 'end_ms'])
    .select((select) =>
      select
        .selectFrom('metric_points')
        .select((each) => each.fn.min<number | null>('metric_ms').as('metric_ms'))
        .whereRef('metric_points.tenant_id', '=', 'jobs.tenant_id')
        .whereRef('metric_points.job_id', '=', 'jobs.id')
        .as('metric_ms'),
    )
    .where('asset_id', '=', assetId)
    .where('status', '=', 'FINISHED')
    .where('end_ms', '>=', toMs(since))
    .orderBy('number', 'desc')
    .limit(FINISHED_MAX)
    .execute();
  return rows.toReversed().flatMap(({ id, end_ms, metric_ms }) => {
    return metric_ms === null || end_ms === null ? [] : [{ job_id: id, metric_time: toTime(metric_ms), end_time: toTime(end_ms) }];
  });
}
