// SPDX-License-Identifier: Apache-2.0
/** Completes what a caller says of a monitor with the defaults of what it leaves out. */
import type { Monitor, MonitorDefinition, MonitorType, Threshold } from '@sextant/contracts-observability';

/** Past points considered, as published. */
const HISTORY_LIMIT = 20;

type ThresholdInput = Pick<Threshold, 'threshold_type'> & { readonly [Name in keyof Threshold]?: Threshold[Name] | null };

/** A rule has a fixed meaning: unless its author says otherwise, no row may violate it. What is measured has a learned band. */
const DEFAULTS: { readonly [Type in MonitorType]: ThresholdInput } = {
  RULE: { threshold_type: 'STATIC', threshold1: 100 },
  METRIC: { threshold_type: 'ML' },
  PREDEFINED_METRIC: { threshold_type: 'ML' },
};

export function completeThreshold(type: MonitorType, input: ThresholdInput = DEFAULTS[type]): Threshold {
  return {
    threshold_type: input.threshold_type,
    threshold1: input.threshold1 ?? null,
    threshold2: input.threshold2 ?? null,
    extrapolation_strategy: input.extrapolation_strategy ?? 'IGNORE',
    history_limit: input.history_limit ?? HISTORY_LIMIT,
  };
}

/** Every member of the three kinds of definitions, each where the caller gave it. */
type DefinitionInput = {
  readonly predefined_metric?: string;
  readonly attributes?: readonly string[];
  readonly expression?: string;
  readonly options?: { readonly ignore_nulls?: boolean; readonly empty_values?: readonly string[] };
  readonly raw_sql?: boolean;
  readonly variables?: Extract<MonitorDefinition, { variables: unknown }>['variables'];
};

/** @param input let through by the schema of `type` */
export function completeDefinition(type: MonitorType, input: DefinitionInput): MonitorDefinition {
  const { predefined_metric = '', attributes = [], expression = '', options = {}, raw_sql = false, variables = [] } = input;
  const ignore_nulls = options.ignore_nulls ?? false;
  switch (type) {
    case 'PREDEFINED_METRIC':
      return { predefined_metric, attributes };
    case 'METRIC':
      return { expression, options: { ignore_nulls }, raw_sql };
    case 'RULE':
      return { expression, options: { ignore_nulls, empty_values: options.empty_values ?? [] }, variables };
  }
}

type NotificationInput = { readonly send_notifications: boolean; readonly notification_channel_names?: readonly string[] | null };

export function completeNotification(input: NotificationInput | null | undefined): Monitor['notification'] {
  if (input === null || input === undefined) return null;
  return { send_notifications: input.send_notifications, notification_channel_names: input.notification_channel_names ?? null };
}

type TicketingInput = { readonly create_ticket?: boolean | null; readonly ticket_template_id?: number | null };

export function completeTicketing(input: TicketingInput | null | undefined): Monitor['ticketing'] {
  if (input === null || input === undefined) return null;
  return { type: 'TRACKER', create_ticket: input.create_ticket ?? null, ticket_template_id: input.ticket_template_id ?? null };
}
