// SPDX-License-Identifier: Apache-2.0
/** Data quality scores: of one asset now and over time, and of all assets. */
import { parsePeriod } from '@sextant/contracts-observability';
import { currentScore, scoreHistory } from '../scores/current-score.ts';
import { operation } from './operation.ts';
import { optionalNumber } from './parameters.ts';

const HISTORY_DEFAULT = 1000;
const HISTORY_MAX = 10_000;

export const getDqScoreValue = operation('get_dq_score_value', async ({ tenant }, { params: { asset_id } }) => {
  const config = (await tenant.dqScoreConfig.find(asset_id)) ?? null;
  const [last, previous] = await tenant.dqScores.newest(asset_id, 2);
  const exposure = await tenant.dqScores.exposure(asset_id);
  return currentScore({ asset_id, config, last, previous, exposure, monitors: await tenant.monitors.list(asset_id) });
});

export const listDqScoreHistory = operation('list_dq_score_history', async ({ tenant }, { params: { asset_id }, query }) => {
  const limit = Math.min(HISTORY_MAX, optionalNumber(query.limit) ?? HISTORY_DEFAULT);
  return scoreHistory(await tenant.dqScores.history({ asset_id, ...parsePeriod(query), limit }));
});

export const listDqScores = operation('list_dq_scores', async ({ tenant }) => {
  const scores = [];
  for (const standing of await tenant.dqScores.standings()) {
    const { asset_id, asset_name, project_id, exposure } = standing;
    // Monitors say which of the open incidents are about freshness.
    const monitors = exposure.open_incidents.length === 0 ? [] : await tenant.monitors.list(asset_id);
    const { state, score, band, metric_time } = currentScore({ ...standing, monitors });
    scores.push({ asset_id, asset_name, project_id, state, score, band, metric_time });
  }
  return scores;
});
