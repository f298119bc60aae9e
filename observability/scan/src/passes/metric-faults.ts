// SPDX-License-Identifier: Apache-2.0
/**
 * Why metrics that users define have no value or could not be measured: the divisor, the value beyond the range or the text at fault, and the record that
 * has it. Asked once they have failed, by one statement for all rows and one for the first record, each within the time of the metric.
 */
import type { MetricPoint } from '@sextant/contracts-observability';
import type { CompileContext } from '../checks.ts';
import { type AggregatedRows, type MetricSuspects, metricSuspects, type Suspect } from '../expressions/suspects.ts';
import { type Failure, orUnexplained } from '../plan/failure.ts';
import type { ScanRequest, ValuelessSeries } from '../scan.ts';
import { SERIES_MAX, segmentedValue } from './custom-metrics.ts';
import { firstAtFault, firstThatHolds, type RecordScope } from './named-record.ts';

export type MetricFaultScope = RecordScope & { readonly context: CompileContext };

type Measured = {
  readonly monitors: ScanRequest['monitors'];
  readonly points: readonly MetricPoint[];
  readonly failures: readonly Failure[];
};

export type MetricFaults = { readonly failures: readonly Failure[]; readonly valueless: readonly ValuelessSeries[] };

/** Metrics that are asked; more at once have one fault. */
const ASKED_MAX = 20;
/** How both engines say that a number is too large; what took too long or too much is not asked again. */
const OUT_OF_RANGE = /out of range/i;

/** The same failures, those that a record explains with it; and the reasons of those without a value. Where asking fails, nothing is explained. */
export async function explainMetrics(scope: MetricFaultScope, { monitors, points, failures }: Measured): Promise<MetricFaults> {
  const reasons = new Map(failures.map(({ monitor_id, reason }) => [monitor_id, reason]));
  const explained = new Map<string, string>();
  const valueless: ValuelessSeries[] = [];
  let asked = 0;
  for (const { id, monitor } of monitors) {
    if (!('raw_sql' in monitor) || asked === ASKED_MAX) continue;
    const segments = new Set(points.filter((point) => point.monitor_id === id && point.value === null).map(({ segment }) => segment));
    const hasFailed = OUT_OF_RANGE.test(reasons.get(id) ?? '');
    const suspects = hasFailed || segments.size > 0 ? metricSuspects(monitor, scope.context) : undefined;
    if (suspects === undefined) continue;
    asked += 1;
    if (hasFailed) {
      const found = await orUnexplained(() => firstAtFault(scope, rowsBeyondRange(suspects)));
      if (found !== undefined) explained.set(id, found);
    } else valueless.push(...((await orUnexplained(() => reasonsOf(scope, id, suspects, segments))) ?? []));
  }
  return {
    failures: failures.map((failure) => ({ ...failure, reason: explained.get(failure.monitor_id) ?? failure.reason })),
    valueless,
  };
}

function rowsBeyondRange({ whole }: MetricSuspects): readonly Suspect[] {
  return whole.flatMap(({ kind, over }) => (kind === 'out of range' && over !== undefined ? over.suspects.filter(isBeyondRange) : []));
}

function isBeyondRange({ kind }: Suspect): boolean {
  return kind === 'out of range';
}

async function reasonsOf(
  scope: MetricFaultScope,
  monitor_id: string,
  { whole, dimensions }: MetricSuspects,
  segments: ReadonlySet<string | null>,
): Promise<readonly ValuelessSeries[]> {
  const { engine, limit } = scope;
  const list = dimensions.join(', ');
  if (dimensions.length === 0) {
    const [[first = null, records = 0] = []] = await engine.query(
      `SELECT ${firstThatHolds(whole)}, count(*) FROM ${engine.relation}`,
      limit,
    );
    const suspect = first === null ? undefined : whole[Number(first)];
    if (suspect === undefined) return [];
    return [{ monitor_id, segment: null, reason: await reasonOfAll(scope, suspect, Number(records)) }];
  }
  const statement = `SELECT ${firstThatHolds(whole)} AS metric, ${list} FROM ${engine.relation} GROUP BY ${list}`;
  const groups = (await engine.queryObjects(statement, SERIES_MAX, limit)).map(segmentedValue);
  return groups.flatMap(({ segment, value }): readonly ValuelessSeries[] => {
    const suspect = typeof value === 'number' && segments.has(segment) ? whole[value] : undefined;
    if (suspect === undefined) return [];
    const nothing = suspect.over === undefined || isBeyondRange(suspect) ? '' : `: no record of it has a value of ${suspect.over.operand}`;
    return [{ monitor_id, segment, reason: `${suspect.says}${nothing}` }];
  });
}

async function reasonOfAll(scope: MetricFaultScope, suspect: Suspect, records: number): Promise<string> {
  const { says, over } = suspect;
  if (over === undefined) return says;
  const isRange = isBeyondRange(suspect);
  const found = await firstAtFault(scope, isRange ? over.suspects.filter(isBeyondRange) : over.suspects);
  if (found !== undefined) return `${says}: ${found}`;
  return isRange ? says : `${says}: ${await lackOf(scope, over, records)}`;
}

async function lackOf({ engine, limit }: MetricFaultScope, { operand, sql, least }: AggregatedRows, records: number): Promise<string> {
  if (records === 0) return 'there is no record';
  const [[values = 0] = []] = least === 1 ? [] : await engine.query(`SELECT count(${sql}) FROM ${engine.relation}`, limit);
  if (Number(values) > 0) return `it takes ${least} values of ${operand}, and there is 1`;
  return `none of the ${records} ${records === 1 ? 'record' : 'records'} has a value of ${operand}`;
}
