// SPDX-License-Identifier: Apache-2.0
/** Schemas of query strings; their members arrive as text. */
import { oneOf, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { CHECK_STATES } from './checks.ts';
import { name, queryBoolean, queryInteger, text } from './value-schemas.ts';

const time = Type.Optional(Type.String({ maxLength: 64, description: 'ISO 8601; inclusive.' }));

export const assetQuerySchema = strict(
  {
    with_attributes: Type.Optional(queryBoolean),
    with_schedules: Type.Optional(queryBoolean),
    with_lineage: Type.Optional(queryBoolean),
  },
  { title: 'AssetQuery' },
);
export const listItemsQuerySchema = strict({ limit: Type.Optional(queryInteger) }, { title: 'ListItemsQuery' });
export const uploadQuerySchema = strict(
  { name: Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f/\\\\]{1,255}$', 'x-expected': 'the name of a file, without slashes' }) },
  { title: 'UploadQuery' },
);
export const jobListQuerySchema = strict(
  { most_recent: Type.Optional(queryBoolean), limit: Type.Optional(queryInteger) },
  { title: 'JobListQuery' },
);
export const sampleQuerySchema = strict(
  { monitor_id: Type.Optional(text), limit: Type.Optional(queryInteger) },
  { title: 'SampleRowsQuery' },
);
export const checkQuerySchema = strict(
  {
    asset_id: Type.Optional(text),
    state: Type.Optional(oneOf(...CHECK_STATES)),
    limit: Type.Optional(queryInteger),
    offset: Type.Optional(queryInteger),
  },
  { title: 'CheckQuery' },
);
export const monitorQuerySchema = strict(
  {
    channel: Type.Optional(name),
    ticket_template_id: Type.Optional(queryInteger),
    prebuilt: Type.Optional(queryBoolean),
    limit: Type.Optional(queryInteger),
    offset: Type.Optional(queryInteger),
  },
  { title: 'MonitorQuery' },
);
const wholeOr = Type.Optional(Type.String({ maxLength: 1024, description: 'Empty for points of none.' }));

export const metricQuerySchema = strict(
  {
    asset_id: text,
    metric_name: Type.Optional(text),
    metric_aggregation: Type.Optional(text),
    attribute: wholeOr,
    segment: wholeOr,
    monitor_id: wholeOr,
    job_id: Type.Optional(text),
    from_time: time,
    to_time: time,
    limit: Type.Optional(queryInteger),
    offset: Type.Optional(queryInteger),
  },
  { title: 'MetricQuery' },
);
export const jobAlertsQuerySchema = strict({ job_id: text }, { title: 'JobAlertsQuery' });
export const errorsQuerySchema = strict({ limit: Type.Optional(queryInteger) }, { title: 'ErrorsQuery' });
