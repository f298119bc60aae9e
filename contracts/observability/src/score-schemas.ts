/** Schemas of data quality scores. */
import { oneOf, schemaOf, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { METRIC_NAMES } from './metrics.ts';
import {
  type AssetScore,
  type CurrentScore,
  SCORE_BANDS,
  SCORE_DIMENSIONS,
  SCORE_STATES,
  type ScoreChange,
  type ScoreHistoryItem,
  type ScorePart,
} from './scores.ts';
import { answer, nullable, queryInteger, timestamp } from './value-schemas.ts';

const dimension = oneOf(...SCORE_DIMENSIONS);
const band = oneOf(...SCORE_BANDS);
const state = oneOf(...SCORE_STATES);
const score = Type.Number({ minimum: 0, maximum: 100 });

const part = schemaOf<ScorePart>()(
  answer('ScorePart', {
    dimension,
    value: nullable(score),
    weight: Type.Number({ minimum: 0, maximum: 1 }),
    contribution: Type.Number(),
    measured_from: Type.Object({
      sentence: Type.String(),
      metrics: Type.Array(
        Type.Object({
          metric_name: oneOf(...METRIC_NAMES),
          metric_aggregation: Type.String(),
          attribute: nullable(Type.String()),
          monitor_id: nullable(Type.String()),
          value: nullable(Type.Number()),
        }),
      ),
      incident_ids: Type.Array(Type.Integer()),
    }),
  }),
);

const change = schemaOf<ScoreChange>()(
  answer('ScoreChange', {
    since: timestamp,
    from_score: score,
    difference: Type.Number(),
    parts: Type.Array(
      Type.Object(
        { dimension, difference: Type.Number(), of_value: Type.Number(), of_weight: Type.Number() },
        { title: 'ScorePartChange' },
      ),
    ),
  }),
);

export const currentScoreSchema = schemaOf<CurrentScore>()(
  answer('CurrentScore', {
    asset_id: Type.String(),
    state,
    score: nullable(score),
    band: nullable(band),
    job_id: nullable(Type.String()),
    metric_time: nullable(timestamp),
    parts: Type.Array(part),
    change: nullable(change),
  }),
);

export const scoreHistoryItemSchema = schemaOf<ScoreHistoryItem>()(
  answer('ScoreHistoryItem', {
    job_id: Type.String(),
    metric_time: timestamp,
    score,
    band,
    parts: Type.Array(part),
    change: nullable(change),
  }),
);

export const assetScoreSchema = schemaOf<AssetScore>()(
  answer('AssetScore', {
    asset_id: Type.String(),
    asset_name: Type.String(),
    project_id: Type.Integer(),
    state,
    score: nullable(score),
    band: nullable(band),
    metric_time: nullable(timestamp),
  }),
);

const time = Type.Optional(Type.String({ maxLength: 64, description: 'ISO 8601; bounds are included.' }));

export const scoreHistoryQuerySchema = strict(
  { from_time: time, to_time: time, limit: Type.Optional(queryInteger) },
  { title: 'ScoreHistoryQuery' },
);
