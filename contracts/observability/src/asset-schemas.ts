// SPDX-License-Identifier: Apache-2.0
/** Schemas of assets, their attributes and schedules, and of uploads. */
import { eachMaybe, jsonObject, maybe, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { readingSchema } from './reading-schemas.ts';
import { kind, projectId } from './source-schemas.ts';
import { answer, description, mapOf, name, nullable, tags, text, timestamp, webAddress } from './value-schemas.ts';

const ids = Type.Array(text, { maxItems: 10_000 });
const flag = oneOf('true', 'false');
const valuesByAttribute = mapOf(Type.Array(text, { maxItems: 1000 }), 100);
const optionMembers = {
  id_attributes: Type.Array(text, { maxItems: 100 }),
  timestamp_attribute: text,
  /** `"true"` or `"false"`, as the published API writes it. */
  delta_only: flag,
  /** Metrics are computed per value of each attribute, besides for the whole; null is `__null__`. */
  segments: valuesByAttribute,
  filter: valuesByAttribute,
  /** Percent. */
  sample_fraction: Type.Number({ minimum: 0.000_001, maximum: 100, 'x-expected': 'a percentage above 0, at most 100' }),
  limit: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  skip_investigator: flag,
  only_light_scan: flag,
  /** Each scan searches for cells that look wrong and for rules that the rows follow; files alone. */
  find_wrong_cells: flag,
  /** By vector, the empty name for the unnamed one: the payload member that it is made from. Of others it is found. */
  text_members: Type.Record(Type.String({ pattern: '^[\\s\\S]{0,1024}$' }), text, {
    additionalProperties: false,
    maxProperties: 100,
    'x-names': 'at most 1024 characters',
  }),
  separator: Type.String({ pattern: '^[^\\n\\r"]$', 'x-expected': 'one character that is neither a quote nor a line break' }),
  resolve_wildcards_to_folders: flag,
  /** Longest time of each rule, each metric and each statement that the tenant wrote (`raw_sql`); 60 without it. */
  statement_timeout_seconds: Type.Integer({ minimum: 1, maximum: 3600, 'x-expected': 'whole seconds from 1 to 3600' }),
  /** Values that count as empty beside null and the empty string. */
  empty_values: Type.Array(text, { maxItems: 1000 }),
  reading: readingSchema,
};
const assetOptionsSchema = Type.Partial(strict(optionMembers), { title: 'AssetOptions', additionalProperties: false });
export type AssetOptions = Static<typeof assetOptionsSchema>;

const optionsChangeSchema = strict(eachMaybe(optionMembers), {
  title: 'AssetOptionsChange',
  description: 'Merged key by key; null removes a key.',
});

export const attributeSchema = answer('Attribute', {
  id: Type.String(),
  name: Type.String(),
  /** The type as the source names it, and as one of our few. */
  source_type: Type.String(),
  data_type: oneOf('STRING', 'INTEGER', 'DECIMAL', 'BOOLEAN', 'DATE', 'TIMESTAMP', 'OTHER'),
  monitored: Type.Boolean(),
});
export type Attribute = Static<typeof attributeSchema>;
export type DataType = Attribute['data_type'];

/** Five fields of cron; the server checks what they say. */
const cron = Type.String({ pattern: '^\\S+(?:\\s+\\S+){4}$', maxLength: 255, 'x-expected': 'five fields of cron, such as 0 6 * * *' });

export const scheduleSchema = answer('Schedule', {
  /** Five fields of cron, UTC. */
  schedule: Type.String(),
  enabled: Type.Boolean(),
  delta_only: Type.Boolean(),
  sample_fraction: nullable(Type.Number()),
  skip_investigator: Type.Boolean(),
  timestamp_attribute: nullable(Type.String()),
});
export type Schedule = Static<typeof scheduleSchema>;
export const putScheduleSchema = strict(
  {
    schedule: cron,
    enabled: Type.Optional(Type.Boolean()),
    delta_only: Type.Optional(Type.Boolean()),
    sample_fraction: maybe(optionMembers.sample_fraction),
    skip_investigator: Type.Optional(Type.Boolean()),
    timestamp_attribute: maybe(text),
  },
  { title: 'PutSchedule', description: 'Times are in UTC. Without `enabled`, the schedule is on.' },
);

export const assetSchema = answer('Asset', {
  id: Type.String(),
  project_id: projectId,
  name: Type.String(),
  description: nullable(Type.String()),
  type: kind,
  options: assetOptionsSchema,
  /** By kind: `{path, file_type}` for files and object stores, `{schema, table, query?}` for PostgreSQL, `{collection}` for vectors. */
  payload: jsonObject,
  connection_id: nullable(Type.Integer()),
  db_type: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  webhook_url: nullable(Type.String()),
  created_by: Type.String(),
  created_at: timestamp,
  attributes: Type.Optional(Type.Array(attributeSchema)),
  scheduled_upload: Type.Optional(nullable(scheduleSchema)),
  parents: Type.Optional(Type.Array(Type.String())),
  children: Type.Optional(Type.Array(Type.String())),
});
export type Asset = Static<typeof assetSchema>;
const connectionId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const createAssetSchema = strict(
  {
    name,
    description: maybe(description),
    type: kind,
    payload: jsonObject,
    options: Type.Optional(assetOptionsSchema),
    connection_id: maybe(connectionId),
    tags: Type.Optional(tags),
    webhook_url: maybe(webAddress),
  },
  { title: 'CreateAsset' },
);
export const updateAssetSchema = strict(
  {
    name: Type.Optional(name),
    description: maybe(description),
    type: Type.Optional(kind),
    payload: Type.Optional(jsonObject),
    options: Type.Optional(optionsChangeSchema),
    connection_id: maybe(connectionId),
    tags: Type.Optional(tags),
    webhook_url: maybe(webAddress),
  },
  {
    title: 'UpdateAsset',
    description: 'Only the given members change; `options` are merged key by key, `payload` is replaced as a whole.',
  },
);
export const moveAssetsSchema = strict(
  {
    source_project_id: projectId,
    source_asset_ids: Type.Array(text, { minItems: 1, maxItems: 1000 }),
    target_connection_id: maybe(connectionId),
  },
  { title: 'MoveAssets' },
);

/** What is monitored: the names listed, or all of them. */
export const putAttributesSchema = Type.Refine(
  strict({ monitored: Type.Optional(ids), all: Type.Optional(Type.Boolean()) }, { title: 'PutAttributes' }),
  (body) => (body.monitored !== undefined) !== (body.all !== undefined),
  () => 'give either `monitored`, the names of the attributes to monitor, or `all`',
);

export const uploadSchema = answer('Upload', {
  id: Type.String(),
  name: Type.String(),
  bytes: Type.Integer(),
  created_by: Type.String(),
  created_at: timestamp,
  /** The payload of an asset of kind UPLOAD that is this file. */
  payload: jsonObject,
});
/** A file that was sent to the service. */
export type Upload = Static<typeof uploadSchema>;
