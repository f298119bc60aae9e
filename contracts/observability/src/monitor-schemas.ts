// SPDX-License-Identifier: Apache-2.0
/** Schemas of monitors. */
import { maybe, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type, { type TSchema } from 'typebox';
import { METRIC_NAMES } from './metrics.ts';
import { PREDEFINED_METRICS } from './monitors.ts';
import { answer, description, name, nullable, tags, text, timestamp } from './value-schemas.ts';

const EXPRESSION_MAX = 65_536;
const expression = Type.String({ minLength: 1, maxLength: EXPRESSION_MAX });
const level = oneOf('LOW', 'MEDIUM', 'HIGH');
export type Level = Static<typeof level>;
const bound = maybe(Type.Number());

type Band = { threshold_type: string; threshold1?: number | null; threshold2?: number | null };

/** A band; a value outside it is a violation. The learned one has no bounds of its own. */
const thresholdInput = Type.Refine(
  strict(
    {
      threshold_type: oneOf('ML', 'STATIC', 'RELATIVE'),
      threshold1: bound,
      threshold2: bound,
      extrapolation_strategy: Type.Optional(oneOf('IGNORE', 'ZERO', 'AVERAGE')),
      history_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    },
    { title: 'ThresholdInput' },
  ),
  (band) => bandProblem(band) === undefined,
  (band) => bandProblem(band) ?? '',
);

function bandProblem({ threshold_type: type, threshold1: lower = null, threshold2: upper = null }: Band): string | undefined {
  if (type === 'ML') return undefined;
  if (lower === null && upper === null)
    return `a ${type} threshold needs \`threshold1\` (lower bound), \`threshold2\` (upper bound) or both`;
  if (lower !== null && upper !== null && lower > upper) return `\`threshold1\` (${lower}) must not be above \`threshold2\` (${upper})`;
  return undefined;
}

const variable = strict({
  name,
  type: oneOf('REFERENCE', 'LIST', 'CONSTANT', 'RANGE'),
  value: Type.Array(Type.Union([text, Type.Number()]), { maxItems: 10_000 }),
});
export type RuleVariable = Static<typeof variable>;

const definitions = {
  PREDEFINED_METRIC: strict(
    { predefined_metric: oneOf(...PREDEFINED_METRICS), attributes: Type.Optional(Type.Array(text, { maxItems: 10_000 })) },
    { title: 'PredefinedMetric', description: 'Without attributes, the metric of the whole asset.' },
  ),
  METRIC: strict(
    {
      expression,
      options: Type.Optional(strict({ ignore_nulls: Type.Optional(Type.Boolean()) })),
      raw_sql: Type.Optional(Type.Boolean()),
    },
    { title: 'UserMetric' },
  ),
  RULE: strict(
    {
      expression,
      options: Type.Optional(
        strict({ ignore_nulls: Type.Optional(Type.Boolean()), empty_values: Type.Optional(Type.Array(text, { maxItems: 1000 })) }),
      ),
      variables: Type.Optional(Type.Array(variable, { maxItems: 1000 })),
    },
    { title: 'Rule' },
  ),
} as const satisfies { readonly [type in MonitorType]: TSchema };

/** The schema of `monitor` for one type; an update is checked with that of the stored type. */
export function monitorDefinitionSchema(type: MonitorType): TSchema {
  return definitions[type];
}

const common = {
  name,
  enabled: Type.Boolean(),
  description: maybe(description),
  impact: maybe(level),
  tags: maybe(tags),
  threshold: thresholdInput,
  notification: maybe(
    strict({ send_notifications: Type.Boolean(), notification_channel_names: maybe(Type.Array(name, { maxItems: 100 })) }),
  ),
  ticketing: maybe(
    strict({
      type: Type.Literal('TRACKER'),
      create_ticket: maybe(Type.Boolean()),
      ticket_template_id: maybe(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    }),
  ),
};

export const createMonitorSchema = Type.Union(
  [
    strict({ type: Type.Literal('PREDEFINED_METRIC'), ...common, monitor: definitions.PREDEFINED_METRIC }),
    strict({ type: Type.Literal('METRIC'), ...common, monitor: definitions.METRIC }),
    strict({ type: Type.Literal('RULE'), ...common, threshold: Type.Optional(thresholdInput), monitor: definitions.RULE }),
  ],
  { title: 'CreateMonitor', description: 'A rule without a threshold is violated by its first violating row (STATIC, at least 100 %).' },
);

const fixedType = Type.Unsafe<undefined>(Type.Never({ 'x-expected': 'the type of a monitor cannot be changed; leave it out' }));

/** `monitor` is checked once more with `monitorDefinitionSchema` of the stored type. */
export const updateMonitorSchema = strict(
  {
    type: Type.Optional(fixedType),
    ...common,
    monitor: Type.Union([definitions.PREDEFINED_METRIC, definitions.RULE, definitions.METRIC]),
  },
  { title: 'UpdateMonitor' },
);

const tried = { threshold: Type.Optional(thresholdInput) };
const measuredAs = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'An existing monitor of the asset, whose measurements are the history.' }),
);

/** A monitor that is only checked, and tried on what was measured so far. Without a threshold, a rule with one of 100 %, others with a learned one. */
export const previewMonitorSchema = Type.Union(
  [
    strict({ type: Type.Literal('PREDEFINED_METRIC'), monitor: definitions.PREDEFINED_METRIC, ...tried }),
    strict({ type: Type.Literal('METRIC'), monitor: definitions.METRIC, ...tried, monitor_id: measuredAs }),
    strict({ type: Type.Literal('RULE'), monitor: definitions.RULE, ...tried, monitor_id: measuredAs }),
  ],
  { title: 'PreviewMonitor' },
);
export const monitorPreviewSchema = answer('MonitorPreview', {
  history: Type.Array(
    answer('PreviewedPoint', {
      metric_time: timestamp,
      metric_name: oneOf(...METRIC_NAMES),
      metric_aggregation: Type.String(),
      attribute: nullable(Type.String()),
      segment: nullable(Type.String()),
      monitor_id: nullable(Type.String()),
      value: Type.Number(),
      lower_bound: nullable(Type.Number()),
      upper_bound: nullable(Type.Number()),
      is_violation: Type.Boolean(),
    }),
    { description: 'How the monitor would have evaluated the newest scans, newest first: at most 60 scans and 1,000 values.' },
  ),
});

const thresholdSchema = answer('Threshold', {
  threshold_type: oneOf('ML', 'STATIC', 'RELATIVE'),
  threshold1: nullable(Type.Number()),
  threshold2: nullable(Type.Number()),
  extrapolation_strategy: oneOf('IGNORE', 'ZERO', 'AVERAGE'),
  /** Past points considered; 0 is automatic. */
  history_limit: Type.Integer(),
});
export type Threshold = Static<typeof thresholdSchema>;

export const monitorSchema = answer('Monitor', {
  /** An integer as text for monitors that people made, a name in upper snake case for the pre-built ones. */
  id: Type.String(),
  asset_id: Type.String(),
  type: oneOf('PREDEFINED_METRIC', 'METRIC', 'RULE'),
  name: Type.String(),
  enabled: Type.Boolean(),
  description: nullable(Type.String()),
  impact: nullable(level),
  tags: nullable(Type.Array(Type.String())),
  created_by: Type.String(),
  created_at: timestamp,
  modified_by: Type.String(),
  modified_at: timestamp,
  monitor: Type.Union([
    Type.Object({ predefined_metric: Type.String(), attributes: Type.Array(Type.String()) }),
    Type.Object({ expression: Type.String(), options: Type.Object({ ignore_nulls: Type.Boolean() }), raw_sql: Type.Boolean() }),
    Type.Object({
      expression: Type.String(),
      options: Type.Object({ ignore_nulls: Type.Boolean(), empty_values: Type.Array(Type.String()) }),
      variables: Type.Array(variable),
    }),
  ]),
  threshold: thresholdSchema,
  notification: nullable(
    Type.Object({ send_notifications: Type.Boolean(), notification_channel_names: nullable(Type.Array(Type.String())) }),
  ),
  ticketing: nullable(
    Type.Object({
      type: Type.Literal('TRACKER'),
      create_ticket: nullable(Type.Boolean()),
      ticket_template_id: nullable(Type.Integer()),
    }),
  ),
});
export type Monitor = Static<typeof monitorSchema>;
export type MonitorType = Monitor['type'];
export type MonitorDefinition = Monitor['monitor'];
