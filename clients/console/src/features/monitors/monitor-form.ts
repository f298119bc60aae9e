// SPDX-License-Identifier: Apache-2.0
/** What is written in the form of a monitor, and how it becomes a monitor again. What the form hides at the moment is kept, not dropped. */
import type { CreateMonitor, Monitor, PreviewMonitor, RequestOf, ThresholdInput } from '@sextant/sdk';
import type { MetricId } from '../../data/metrics/metric-kinds.ts';

export type MonitorType = Monitor['type'];
export type Level = NonNullable<Monitor['impact']>;
export type RuleVariable = Extract<Monitor['monitor'], { readonly variables: unknown }>['variables'][number];

export type MonitorForm = {
  readonly type: MonitorType;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly impact: Level | null;
  readonly tags: readonly string[];
  readonly metric: string;
  readonly attributes: readonly string[];
  readonly expression: string;
  readonly ignoresNulls: boolean;
  readonly isSql: boolean;
  readonly emptyValues: readonly string[];
  readonly variables: readonly RuleVariable[];
  readonly thresholdType: Monitor['threshold']['threshold_type'];
  /** As the fields hold them: empty is no bound. */
  readonly lower: number | string;
  readonly upper: number | string;
  readonly extrapolation: Monitor['threshold']['extrapolation_strategy'];
  readonly historyLimit: number | string;
  readonly notifies: boolean;
  readonly channels: readonly string[];
  readonly makesTickets: boolean;
  readonly templateId: number | null;
};

export const NEW_MONITOR: MonitorForm = {
  type: 'PREDEFINED_METRIC',
  name: '',
  description: '',
  enabled: true,
  impact: null,
  tags: [],
  metric: 'COMPLETENESS',
  attributes: [],
  expression: '',
  ignoresNulls: false,
  isSql: false,
  emptyValues: [],
  variables: [],
  thresholdType: 'ML',
  lower: '',
  upper: '',
  extrapolation: 'IGNORE',
  historyLimit: 0,
  notifies: false,
  channels: [],
  makesTickets: false,
  templateId: null,
};

/** What a new monitor of a kind is in order with: a rule means what it says, what is measured has a learned band. */
export function defaultBandOf(type: MonitorType): Pick<MonitorForm, 'thresholdType' | 'lower' | 'upper'> {
  return type === 'RULE' ? { thresholdType: 'STATIC', lower: 100, upper: '' } : { thresholdType: 'ML', lower: '', upper: '' };
}

export function formOf({ monitor, threshold, notification, ticketing, ...rest }: Monitor): MonitorForm {
  return {
    ...NEW_MONITOR,
    type: rest.type,
    name: rest.name,
    description: rest.description ?? '',
    enabled: rest.enabled,
    impact: rest.impact,
    tags: rest.tags ?? [],
    ...('predefined_metric' in monitor
      ? { metric: monitor.predefined_metric, attributes: monitor.attributes }
      : { expression: monitor.expression, ignoresNulls: monitor.options.ignore_nulls }),
    ...('raw_sql' in monitor && { isSql: monitor.raw_sql }),
    ...('variables' in monitor && { emptyValues: monitor.options.empty_values, variables: monitor.variables }),
    thresholdType: threshold.threshold_type,
    lower: threshold.threshold1 ?? '',
    upper: threshold.threshold2 ?? '',
    extrapolation: threshold.extrapolation_strategy,
    historyLimit: threshold.history_limit,
    notifies: notification?.send_notifications ?? false,
    channels: notification?.notification_channel_names ?? [],
    makesTickets: ticketing?.create_ticket ?? false,
    templateId: ticketing?.ticket_template_id ?? null,
  };
}

export function thresholdOf(form: MonitorForm): ThresholdInput {
  return {
    threshold_type: form.thresholdType,
    threshold1: numberOrNull(form.lower),
    threshold2: numberOrNull(form.upper),
    extrapolation_strategy: form.extrapolation,
    history_limit: numberOrNull(form.historyLimit) ?? 0,
  };
}

function numberOrNull(written: number | string): number | null {
  if (typeof written === 'number') return written;
  return written.trim() === '' ? null : Number(written);
}

type Definition = RequestOf<'update_monitor'>['monitor'];

/** @param before the stored monitor, which tells what was left open from what was emptied */
export function createBodyOf(form: MonitorForm, before?: Monitor): CreateMonitor & { readonly threshold: ThresholdInput } {
  const common = commonOf(form, before);
  switch (form.type) {
    case 'PREDEFINED_METRIC':
      return {
        type: form.type,
        ...common,
        // One that this page does not know goes back as it came; the service checks it.
        monitor: { predefined_metric: form.metric as MetricId, attributes: form.attributes },
      };
    case 'METRIC':
      return {
        type: form.type,
        ...common,
        monitor: { expression: form.expression, options: { ignore_nulls: form.ignoresNulls }, raw_sql: form.isSql },
      };
    case 'RULE':
      return {
        type: form.type,
        ...common,
        monitor: {
          expression: form.expression,
          options: { ignore_nulls: form.ignoresNulls, empty_values: form.emptyValues },
          variables: form.variables,
        },
      };
  }
}

/** The type of a monitor is fixed once it is made, and not sent again. */
export function updateBodyOf(
  form: MonitorForm,
  before: Monitor,
): Omit<CreateMonitor, 'type' | 'monitor' | 'threshold'> & { readonly monitor: Definition; readonly threshold: ThresholdInput } {
  const { type: _fixed, ...body } = createBodyOf(form, before);
  return body;
}

function commonOf(form: MonitorForm, before: Monitor | undefined) {
  const { notifies, channels, makesTickets, templateId } = form;
  const hasNoNews = !notifies && channels.length === 0 && before?.notification == null;
  const hasNoTickets = !makesTickets && templateId === null && before?.ticketing == null;
  return {
    name: form.name,
    enabled: form.enabled,
    description: form.description === '' && before?.description == null ? null : form.description,
    impact: form.impact,
    tags: form.tags.length === 0 && before?.tags == null ? null : form.tags,
    threshold: thresholdOf(form),
    notification: hasNoNews
      ? null
      : {
          send_notifications: notifies,
          notification_channel_names: channels.length === 0 && before?.notification?.notification_channel_names == null ? null : channels,
        },
    ticketing: hasNoTickets
      ? null
      : {
          type: 'TRACKER' as const,
          create_ticket: !makesTickets && before?.ticketing?.create_ticket == null ? null : makesTickets,
          ticket_template_id: templateId,
        },
  };
}

/** What is tried on the history. A rule or an expression has one once a monitor measures it. */
export function previewBodyOf(form: MonitorForm, storedId: string | undefined): PreviewMonitor {
  const { type, monitor } = createBodyOf(form);
  const tried = { type, monitor, threshold: thresholdOf(form) };
  const measured = type === 'PREDEFINED_METRIC' || storedId === undefined ? {} : { monitor_id: storedId };
  // Type and definition come from one member of the same union.
  return { ...tried, ...measured } as PreviewMonitor;
}

/** A name for who gives none. */
export function suggestedName(form: MonitorForm, label: string): string {
  if (form.type !== 'PREDEFINED_METRIC') return '';
  if (form.attributes.length === 0) return label;
  return `${label} of ${form.attributes.slice(0, 3).join(', ')}${form.attributes.length > 3 ? ' and others' : ''}`;
}

/**
 * The values of a variable as they were written. A value that was a number before stays one while it is written in the same way; what is new is
 * a text, which the language reads as a number beside numbers. A kind that takes fewer values keeps the first ones.
 */
export function writtenValues(
  type: RuleVariable['type'],
  written: readonly (string | number)[],
  before: RuleVariable['value'],
): RuleVariable['value'] {
  const numbers = new Map(before.filter((each) => typeof each === 'number').map((each) => [String(each), each]));
  const values = written.map((each) => (typeof each === 'number' ? each : (numbers.get(each) ?? each)));
  switch (type) {
    case 'LIST':
      return values.filter((each) => each !== '');
    case 'RANGE':
      return [values[0] ?? '', values[1] ?? ''];
    case 'CONSTANT':
    case 'REFERENCE':
      return [values[0] ?? ''];
  }
}
