// SPDX-License-Identifier: Apache-2.0
/** Scores a scan in the transaction that finishes it, after the steps of its incidents: those that are open then count. */
import type { MetricPoint } from '@sextant/contracts-observability';
import type { TenantMetadata } from '@sextant/observability-metadata';
import { DEFAULT_DQ_SCORE, measureIncidents, measureScan, measuresFreshness, scoreCap, scoreOf } from '@sextant/observability-monitors';

export type ScoredScan = {
  readonly asset_id: string;
  readonly job_id: string;
  readonly metric_time: string;
  readonly metrics: readonly MetricPoint[];
  /** Whether the scan read only what is new. */
  readonly isDelta: boolean;
  /** Whether it was asked for no rules. */
  readonly isLight: boolean;
};

export async function appendScore(tenant: TenantMetadata, scanned: ScoredScan): Promise<void> {
  const { asset_id, job_id, metric_time, metrics, isDelta, isLight } = scanned;
  const { enabled, weights } = (await tenant.dqScoreConfig.find(asset_id)) ?? DEFAULT_DQ_SCORE;
  const exposure = await tenant.dqScores.exposure(asset_id);
  const monitors = await tenant.monitors.list(asset_id);
  // One that was made while the scan ran was not measured, and could not be.
  const rules = monitors.filter(({ type, enabled: isOn, created_at }) => type === 'RULE' && isOn && created_at <= metric_time);
  const scan = measureScan(metrics, { ruleIds: isLight ? [] : rules.map(({ id }) => id), isDelta });
  const incidents = measureIncidents({ exposure, monitors, scan, isFreshnessMeasured: measuresFreshness(metrics) });
  const { score, parts } = scoreOf([...scan, ...incidents], weights, scoreCap(exposure)?.score);
  await tenant.dqScores.append({ asset_id, job_id, metric_time, score: enabled ? score : null, parts });
}
