// SPDX-License-Identifier: Apache-2.0
/** Which rows of a scan are evidence for an incident. */
import type { IncidentDetail, RowSample } from '@sextant/sdk';

type Incident = Pick<IncidentDetail, 'alert_policy_id'> & {
  readonly metrics: readonly Pick<IncidentDetail['metrics'][number], 'metric_name' | 'attribute'>[];
  readonly isOfCollection: boolean;
};

/** The monitor that is about every rule. */
const OF_ALL_RULES = 'DQ_RULES_VIOLATION';
/** What the pre-built monitors keep of a file is evidence for whichever monitor alerted of its metric. */
const KEEPERS: { readonly [metric: string]: string | undefined } = {
  REJECTED_ROWS: 'REJECTED_ROWS_VIOLATION',
  TYPE_MISMATCH: 'TYPE_MISMATCH_VIOLATION',
};

/** The monitor whose rows are asked for; undefined where they are of many. */
export function keeperOf({ alert_policy_id: policy, metrics, isOfCollection }: Incident): string | undefined {
  if (isOfCollection || policy === OF_ALL_RULES) return undefined;
  return metrics.flatMap(({ metric_name: metric }) => KEEPERS[metric] ?? [])[0] ?? policy;
}

export function isEvidence({ monitor_id: monitor, row }: Pick<RowSample, 'monitor_id' | 'row'>, incident: Incident): boolean {
  const { alert_policy_id: policy, metrics, isOfCollection } = incident;
  switch (monitor) {
    // A point of a collection. Rows of files that an earlier version kept name no monitor either.
    case null:
      return isOfCollection;
    case 'REJECTED_ROWS_VIOLATION':
      return metrics.some(({ metric_name: metric }) => metric === 'REJECTED_ROWS');
    case 'TYPE_MISMATCH_VIOLATION':
      return metrics.some(({ metric_name: metric, attribute }) => metric === 'TYPE_MISMATCH' && Object.hasOwn(row, attribute ?? ''));
    default:
      return monitor === policy || policy === OF_ALL_RULES;
  }
}
