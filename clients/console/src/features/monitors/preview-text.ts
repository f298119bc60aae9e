/** Sentences of the preview that are not about numbers. */
import { whyWithoutHistory } from '../../data/metrics/metric-kinds.ts';
import type { MonitorForm } from './monitor-form.ts';

/** What has to be written before the service can be asked; undefined once all is there. */
export function missingForPreview({ type, expression, variables, thresholdType, lower, upper }: MonitorForm): string | undefined {
  if (type !== 'PREDEFINED_METRIC' && expression.trim() === '')
    return type === 'RULE' ? 'Write the rule, and it is checked here.' : 'Write the expression, and it is checked here.';
  if (type === 'RULE' && variables.some(({ name }) => name === '')) return 'Give each variable its name, and the rule is checked here.';
  if (thresholdType !== 'ML' && lower === '' && upper === '') return 'Give a bound, and what is beyond it shows here.';
  return undefined;
}

/** How many scans a band needs. */
const SCANS_NEEDED: Readonly<Record<MonitorForm['thresholdType'], number>> = { ML: 6, RELATIVE: 3, STATIC: 1 };

type Known = {
  /** Whether the monitor is stored, and so measured by scans. */
  readonly isStored: boolean;
  /** Scans that ended well, as far as they were asked for. */
  readonly scans: number;
};

/** Why there is nothing to show. */
export function emptyHistoryReason({ type, metric, thresholdType, attributes }: MonitorForm, { isStored, scans }: Known): string {
  const never = type === 'PREDEFINED_METRIC' ? whyWithoutHistory(metric) : undefined;
  if (never !== undefined) return never;
  if (type !== 'PREDEFINED_METRIC' && !isStored) {
    const what = type === 'RULE' ? 'A rule' : 'An expression';
    return `The syntax is valid. ${what} has a history once scans have measured it: save it with a learned band, scan, and come back to try bounds on it.`;
  }
  if (scans === 0) return 'Nothing was measured yet. The first scan measures what is in the asset.';
  const first = SCANS_NEEDED[thresholdType];
  if (scans < first) {
    const past = `${scans} scan${scans === 1 ? '' : 's'}`;
    return `The history is too short: this band needs ${first} scans, and there ${scans === 1 ? 'is' : 'are'} ${past}.`;
  }
  const where = attributes.length === 0 ? 'the asset' : `the attributes that are named`;
  return `No scan measured it of ${where}, or the values are too few or too different for this band.`;
}
