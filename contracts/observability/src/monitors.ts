/** Monitors (formerly alert policies): what is watched, within which band, and who hears of it. */

import { METRIC_NAMES } from './metrics.ts';

export type MonitorType = 'PREDEFINED_METRIC' | 'METRIC' | 'RULE';
export type Level = 'LOW' | 'MEDIUM' | 'HIGH';

export type Threshold = {
  readonly threshold_type: 'ML' | 'STATIC' | 'RELATIVE';
  readonly threshold1: number | null;
  readonly threshold2: number | null;
  readonly extrapolation_strategy: 'IGNORE' | 'ZERO' | 'AVERAGE';
  /** Past points considered; 0 is automatic. */
  readonly history_limit: number;
};

export type MonitorDefinition =
  | { readonly predefined_metric: string; readonly attributes: readonly string[] }
  | { readonly expression: string; readonly options: { readonly ignore_nulls: boolean }; readonly raw_sql: boolean }
  | {
      readonly expression: string;
      readonly options: { readonly ignore_nulls: boolean; readonly empty_values: readonly string[] };
      readonly variables: readonly RuleVariable[];
    };

export type RuleVariable = {
  readonly name: string;
  readonly type: 'REFERENCE' | 'LIST' | 'CONSTANT' | 'RANGE';
  readonly value: readonly (string | number)[];
};

export type Monitor = {
  /** An integer as text for monitors that people made, a name in upper snake case for the pre-built ones. */
  readonly id: string;
  readonly asset_id: string;
  readonly type: MonitorType;
  readonly name: string;
  readonly enabled: boolean;
  readonly description: string | null;
  readonly impact: Level | null;
  readonly tags: readonly string[] | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly modified_by: string;
  readonly modified_at: string;
  readonly monitor: MonitorDefinition;
  readonly threshold: Threshold;
  readonly notification: { readonly send_notifications: boolean; readonly notification_channel_names: readonly string[] | null } | null;
  readonly ticketing: {
    readonly type: 'TRACKER';
    readonly create_ticket: boolean | null;
    readonly ticket_template_id: number | null;
  } | null;
};

/** The monitors that every asset has from the start, by id; the name is the id in words. */
export const PREBUILT_MONITOR_IDS = [
  'RECORD_COUNT_DRIFTS',
  'RECORD_COUNT_CORRELATION_DRIFTS',
  'FRESHNESS_DRIFTS',
  'COMPLETENESS_DRIFTS',
  'DQ_RULES_VIOLATION',
  'RECORD_ID_UNIQUENESS_DRIFTS',
  'UNIQUENESS_DRIFTS',
  'UNIQUENESS_CORRELATION_DRIFTS',
  'SCHEMA_DRIFTS',
  'DATA_DRIFTS',
  'NUMERIC_VALUE_DRIFTS',
  'TOP_VALUES_DRIFTS',
  'VALUE_DISTRIBUTION_DRIFTS',
  'DATA_DIFFERENCE',
  'PII_EXPOSURE',
  'DATA_PROCESS_FAILURE',
] as const;

/** What a monitor of type PREDEFINED_METRIC can watch: a metric, or what a pre-built monitor of that id makes of several. */
export const PREDEFINED_METRICS = [...METRIC_NAMES, ...PREBUILT_MONITOR_IDS] as const;
