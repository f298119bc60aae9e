// SPDX-License-Identifier: Apache-2.0
/** The data quality score of an asset, and the parts that make it up. */

export const SCORE_DIMENSIONS = ['completeness', 'accuracy', 'consistency', 'timeliness'] as const;
export type ScoreDimension = (typeof SCORE_DIMENSIONS)[number];

export const SCORE_BANDS = ['excellent', 'good', 'fair', 'poor'] as const;
export type ScoreBand = (typeof SCORE_BANDS)[number];

/**
 * Why there is a score or none: `scored`; the configuration says `disabled`; `not_scanned` yet; `not_measured` where the last scan measured neither
 * completeness nor accuracy and nothing speaks against the data, or nothing that has a weight.
 */
export const SCORE_STATES = ['scored', 'disabled', 'not_scanned', 'not_measured'] as const;
