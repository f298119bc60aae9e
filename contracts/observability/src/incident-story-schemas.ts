// SPDX-License-Identifier: Apache-2.0
/** Schemas of what an incident is about beyond its alerts: why it is there, and which others have the same cause. */
import { oneOf, type Static } from '@sextant/foundation-contract';
import Type from 'typebox';
import { incidentCommentSchema, incidentHandlingSchema } from './incident-care-schemas.ts';
import { schemaChangeSchema } from './job-schemas.ts';
import { answer, nullable, timestamp } from './value-schemas.ts';

/** Of segments that are combinations. */
const also = Type.Optional(
  Type.Array(Type.Object({ attribute: Type.String(), value: nullable(Type.String()) }), {
    description: 'Up to two further conditions that the rows also meet. Absent or empty for a segment with a single condition.',
  }),
);

export const failingSegmentSchema = answer('FailingSegment', {
  attribute: Type.String(),
  /** Null for rows without a value; personal data are masked. */
  value: nullable(Type.String()),
  also,
  /** Rows with the value that the rule looked at. */
  checked: Type.Integer(),
  /** Those of them that failed. */
  failed: Type.Integer(),
  /** Share of the failed rows by share of all rows. */
  lift: Type.Number(),
});
/** A value, or several at once, that is more frequent among the rows that failed a rule than among all. */
export type FailingSegment = Static<typeof failingSegmentSchema>;

const failures = answer('RuleEvidence', {
  kind: Type.Literal('RULE'),
  rule: Type.String(),
  attribute: nullable(Type.String()),
  checked: Type.Integer(),
  failed: Type.Integer(),
  segments: Type.Array(failingSegmentSchema, { description: 'Segments that explain the most first.' }),
  unexplained: Type.Optional(Type.String({ description: 'Why segments could not be computed.' })),
});

const movement = Type.Object({
  /** A value of the attribute, or the name of a statistic. */
  name: Type.String(),
  before: nullable(Type.Number()),
  after: nullable(Type.Number()),
});

const distribution = answer('DistributionEvidence', {
  kind: Type.Literal('DISTRIBUTION'),
  attribute: Type.String(),
  segment: nullable(Type.String()),
  /** SHARE: percent of the values; STATISTIC: in the unit of the attribute. */
  measure: oneOf('SHARE', 'STATISTIC'),
  changes: Type.Array(movement, { description: 'Largest change first.' }),
  factor: nullable(
    Type.Number({ description: 'The common factor by which all statistics changed, if there is one, as after a change of the unit.' }),
  ),
});

export const movedSegmentSchema = answer('MovedSegment', {
  attribute: Type.String(),
  /** Null for rows without a value; personal data are masked. */
  value: nullable(Type.String()),
  also,
  rows_before: Type.Integer(),
  rows_after: Type.Integer(),
  /** The completeness or the mean of its rows; null where it has none. */
  before: nullable(Type.Number()),
  after: nullable(Type.Number()),
  share: Type.Number({
    description: 'Share of the total change that these rows caused; more than 1 if other rows compensated for a part of it.',
  }),
});
/** Rows with one value, or with several at once, that made much of a change. */
export type MovedSegment = Static<typeof movedSegmentSchema>;

const segments = answer('SegmentEvidence', {
  kind: Type.Literal('SEGMENTS'),
  attribute: Type.String(),
  /** COMPLETENESS: in percent of the rows; MEAN: in the unit of the attribute. */
  measure: oneOf('COMPLETENESS', 'MEAN'),
  before: Type.Number(),
  after: Type.Number(),
  segments: Type.Array(movedSegmentSchema, { description: 'Segments with the largest share of the change since the previous scan first.' }),
});

export const volumeSegmentSchema = answer('VolumeSegment', {
  attribute: Type.String(),
  /** Null for rows without a value; personal data are masked. */
  value: nullable(Type.String()),
  also,
  /** How many rows there were. */
  before: Type.Number(),
  after: Type.Number(),
});
/** Rows with one value, or with several at once, whose number changed. */
export type VolumeSegment = Static<typeof volumeSegmentSchema>;

const volume = answer('VolumeEvidence', {
  kind: Type.Literal('VOLUME'),
  attribute: Type.Null(),
  before: nullable(Type.Number()),
  after: Type.Number(),
  segments: Type.Array(volumeSegmentSchema, { description: 'Values whose number of rows changed the most.' }),
  files: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), before: nullable(Type.Number()), after: nullable(Type.Number()) }), {
      description: 'For an asset of several files: files that are missing (null), have fewer rows, or are new.',
    }),
  ),
});

const schema = answer('SchemaEvidence', {
  kind: Type.Literal('SCHEMA'),
  attribute: Type.Null(),
  changes: Type.Array(schemaChangeSchema),
  renames: Type.Array(
    Type.Object({
      before: Type.String(),
      after: Type.String(),
      similarity: Type.Number({ description: 'Agreement of names and values, from 0 to 1.' }),
    }),
    { description: 'Removed and added columns that are probably the same.' },
  ),
});

export const incidentEvidenceSchema = Type.Union([failures, distribution, segments, volume, schema]);
/** What a scan found out about the cause of a violation. */
export type IncidentEvidence = Static<typeof incidentEvidenceSchema>;

const otherIncidentMembers = {
  incident_id: Type.Integer(),
  asset_id: Type.String(),
  asset_name: Type.String(),
  alert_policy_id: Type.String(),
  alert_policy_name: Type.String(),
  severity: oneOf('LOW', 'MEDIUM', 'HIGH', ''),
  status: oneOf('OPEN', 'CLOSED'),
  created_time: timestamp,
  description: Type.String(),
};

export const relatedIncidentSchema = answer('RelatedIncident', {
  ...otherIncidentMembers,
  role: oneOf('CAUSE', 'EFFECT'),
  /** Why it belongs to the cause; null for the cause. */
  reason: nullable(Type.String()),
});
/** One of several incidents with a common cause. */
export type RelatedIncident = Static<typeof relatedIncidentSchema>;

export const incidentStorySchema = answer('IncidentStory', {
  /** Sentences, the most telling first; none where nothing is known. */
  why: Type.Array(Type.String()),
  evidence: Type.Array(incidentEvidenceSchema),
  /** The scan that the evidence is of. */
  job_id: nullable(Type.String()),
  related: Type.Array(relatedIncidentSchema, {
    description: 'All incidents with the same cause, the cause first; empty if there are no others.',
  }),
});
/** Why an incident is there, and which others have the same cause. */
export type IncidentStory = Static<typeof incidentStorySchema>;

export const similarIncidentSchema = answer('SimilarIncident', {
  ...otherIncidentMembers,
  similarity: Type.Number({ description: 'Cosine similarity of the features of both incidents, from 0 to 1.' }),
  shared: Type.Array(Type.String(), { description: 'Features that both have in common, most important first.' }),
  /** Null while it is open. */
  closed_time: nullable(timestamp),
  handling: nullable(incidentHandlingSchema),
  last_comment: nullable(incidentCommentSchema),
});
/** An incident like another one, how it ended and what was said of it. */
export type SimilarIncident = Static<typeof similarIncidentSchema>;
