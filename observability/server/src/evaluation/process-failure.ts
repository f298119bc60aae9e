// SPDX-License-Identifier: Apache-2.0
/** The policy that a scan ends well: no measurement decides it, the end of the job does. */
import type { Monitor } from '@sextant/contracts-observability';
import { checkError, type RaisedViolation, type Verdict } from '@sextant/observability-monitors';

/** A verdict whose violation need not be one of a metric. */
export type FinalVerdict = Omit<Verdict, 'violations'> & { readonly violations: readonly RaisedViolation[] };

export const PROCESS_FAILURE = 'DATA_PROCESS_FAILURE';

export function watchesProcess({ monitor }: Pick<Monitor, 'monitor'>): boolean {
  return 'predefined_metric' in monitor && monitor.predefined_metric === PROCESS_FAILURE;
}

/**
 * What the monitors that watch the process say of a scan's end: `failure` is what went wrong, undefined when it ended well; `error` is what it left out of
 * what it was asked for.
 */
export function processVerdicts(
  monitors: readonly Monitor[],
  { failure, error }: { readonly failure: string | undefined; readonly error: string | undefined },
): readonly FinalVerdict[] {
  return monitors
    .filter((monitor) => monitor.enabled && watchesProcess(monitor))
    .map((monitor) => {
      if (failure !== undefined) return { monitor, outcome: 'violated', violations: [failed(monitor, failure)] };
      if (error !== undefined) return { monitor, outcome: 'errored', violations: [checkError(monitor, error)], reason: error };
      return { monitor, outcome: 'clear', violations: [] };
    });
}

function failed({ id }: Monitor, failure: string): RaisedViolation {
  return {
    monitor_id: id,
    violation_name: `DATA.${id}`,
    type: PROCESS_FAILURE,
    metric_name: PROCESS_FAILURE,
    metric_aggregation: 'count',
    attribute: null,
    segment: null,
    series: null,
    rule: null,
    value: 1,
    band: { lower: null, upper: 0 },
    priority: 'HIGH',
    sentence: failure,
    facts: {},
  };
}
