/** Scores a scan in the transaction that finishes it, after the steps of its incidents: those that are open then count. */
import type { MetricPoint } from '@sextant/contracts-observability';
import type { NewCheck, TenantMetadata } from '@sextant/observability-metadata';
import { DEFAULT_DQ_SCORE, measureIncidents, measureScan, scoreOf } from '@sextant/observability-monitors';

export type ScoredScan = {
  readonly asset_id: string;
  readonly job_id: string;
  readonly metric_time: string;
  readonly metrics: readonly MetricPoint[];
  readonly checks: readonly NewCheck[];
};

export async function appendScore(tenant: TenantMetadata, { asset_id, job_id, metric_time, metrics, checks }: ScoredScan): Promise<void> {
  const { enabled, weights } = (await tenant.dqScoreConfig.find(asset_id)) ?? DEFAULT_DQ_SCORE;
  const open = await tenant.incidents.openOfAsset(asset_id);
  const monitors = await tenant.monitors.list(asset_id);
  const rules = new Set(monitors.filter(({ type }) => type === 'RULE').map(({ id }) => id));
  const erroredRules = checks.filter(({ state, monitor_id }) => state === 'errored' && rules.has(monitor_id)).length;
  const { score, parts } = scoreOf([...measureScan(metrics, { erroredRules }), ...measureIncidents(open, monitors)], weights);
  await tenant.dqScores.append({ asset_id, job_id, metric_time, score: enabled ? score : null, parts });
}
