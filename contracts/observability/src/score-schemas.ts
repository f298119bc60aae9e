// SPDX-License-Identifier: Apache-2.0
/** Schemas of data quality scores. */
import { oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { METRIC_NAMES } from './metrics.ts';
import { SCORE_BANDS, SCORE_DIMENSIONS, SCORE_STATES } from './scores.ts';
import { answer, nullable, queryInteger, timestamp } from './value-schemas.ts';

const dimension = oneOf(...SCORE_DIMENSIONS);
const band = oneOf(...SCORE_BANDS);
const state = oneOf(...SCORE_STATES);
const score = Type.Number({ minimum: 0, maximum: 100 });

const part = answer('ScorePart', {
  dimension,
  /** 0 to 100; null where nothing could be measured, and then the part has no weight. */
  value: nullable(score),
  /** Share of the score, 0 to 1; those of all parts add up to 1. */
  weight: Type.Number({ minimum: 0, maximum: 1 }),
  /** Points of the score: value * weight. */
  contribution: Type.Number(),
  measured_from: Type.Object({
    /** One sentence for people. */
    sentence: Type.String(),
    /** The values that count, the lowest first, at most 20. */
    metrics: Type.Array(
      Type.Object({
        metric_name: oneOf(...METRIC_NAMES),
        metric_aggregation: Type.String(),
        attribute: nullable(Type.String()),
        monitor_id: nullable(Type.String()),
        /** Null where it could not be measured. */
        value: nullable(Type.Number()),
        /** Points of the part that it costs; not in scores of before. */
        lost: Type.Optional(Type.Number()),
      }),
    ),
    /** The open incidents that count, at most 100. */
    incident_ids: Type.Array(Type.Integer()),
    /** Of consistency, the heaviest first, at most 100; not in scores of before. */
    incidents: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.Integer(),
          severity: oneOf('LOW', 'MEDIUM', 'HIGH', ''),
          /** Share of the attributes, 0 to 1; 1 where it is about the asset as a whole. */
          touched_share: Type.Number({ minimum: 0, maximum: 1 }),
          /** Points of the part that it costs. */
          lost: Type.Number(),
        }),
      ),
    ),
  }),
});
/** One of the four dimensions in a score. The contributions of the parts, less the deduction, add up to the score. */
export type ScorePart = Static<typeof part>;
/** What the value of a dimension was measured from. */
export type ScoreSource = ScorePart['measured_from'];

const change = answer('ScoreChange', {
  /** Time of the scan that is compared with, and its score. */
  since: timestamp,
  from_score: score,
  difference: Type.Number(),
  parts: Type.Array(
    Type.Object(
      {
        dimension,
        difference: Type.Number(),
        /** How much of the difference comes from another value, and how much from another weight. */
        of_value: Type.Number(),
        of_weight: Type.Number(),
      },
      { title: 'ScorePartChange' },
    ),
  ),
  /** How much of the difference comes from the cap. */
  of_cap: Type.Number(),
});
export type ScoreChange = Static<typeof change>;
/** What a dimension had to do with the difference of two scores. The differences of all dimensions and of the cap add up to that of the scores. */
export type ScorePartChange = ScoreChange['parts'][number];

/** Points by which a cap lies below what the parts add up to. */
const deduction = Type.Number({ minimum: 0, maximum: 100 });

export const currentScoreSchema = answer('CurrentScore', {
  asset_id: Type.String(),
  state,
  score: nullable(score),
  band: nullable(band),
  /** The last scan; null before the first. */
  job_id: nullable(Type.String()),
  metric_time: nullable(timestamp),
  /** Empty unless there is a score. */
  parts: Type.Array(part),
  deduction,
  /** The most that the score may be while an incident of high severity is open; null while there is none. */
  cap: nullable(Type.Object({ score, incident_id: Type.Integer(), sentence: Type.String() })),
  /** From the scan before the last one; null where either has no score. */
  change: nullable(change),
});
/** The score of an asset as it is now: what its last scan measured, and the incidents that are open at this moment. */
export type CurrentScore = Static<typeof currentScoreSchema>;

export const scoreHistoryItemSchema = answer('ScoreHistoryItem', {
  job_id: Type.String(),
  metric_time: timestamp,
  score,
  band,
  parts: Type.Array(part),
  deduction,
  /** From the item before it; null for the first one. */
  change: nullable(change),
});
/** The score of one scan. */
export type ScoreHistoryItem = Static<typeof scoreHistoryItemSchema>;

export const assetScoreSchema = answer('AssetScore', {
  asset_id: Type.String(),
  asset_name: Type.String(),
  project_id: Type.Integer(),
  state,
  score: nullable(score),
  band: nullable(band),
  metric_time: nullable(timestamp),
});
/** One row of the overview. */
export type AssetScore = Static<typeof assetScoreSchema>;

const time = Type.Optional(Type.String({ maxLength: 64, description: 'ISO 8601; inclusive.' }));

export const scoreHistoryQuerySchema = strict(
  { from_time: time, to_time: time, limit: Type.Optional(queryInteger) },
  { title: 'ScoreHistoryQuery' },
);
