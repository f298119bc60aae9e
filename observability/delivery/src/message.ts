// SPDX-License-Identifier: Apache-2.0
/** What a notification says of an incident, and the words that mail and chat share. */
import type { Alert, Asset, Incident, RelatedIncident } from '@sextant/contracts-observability';

export type IncidentEventName = 'opened' | 'severity_raised' | 'still_open' | 'resolved' | 'reopened' | 'test';

export type IncidentMessage = {
  readonly event: IncidentEventName;
  readonly occurred_at: string;
  readonly tenant: string;
  /** A person's e-mail address, or `system`. */
  readonly actor: string;
  /** Where the incident is read; null where the operator has not said how the service is reached. */
  readonly link: string | null;
  readonly incident: Incident;
  readonly asset: Pick<Asset, 'id' | 'name' | 'type'>;
  readonly policy: { readonly id: string; readonly name: string };
  /** The first of the step's alerts. */
  readonly alerts: readonly Pick<
    Alert,
    'attribute' | 'segment' | 'priority' | 'violation_name' | 'metric_value' | 'metric_time' | 'description' | 'job_id'
  >[];
  /** Of all the step's alerts. */
  readonly alert_count: number;
  /** Why it happened, in sentences; left out by an earlier version. */
  readonly why?: readonly string[];
  /** Other incidents of the same cause, the cause first; left out by an earlier version. */
  readonly related?: readonly Pick<
    RelatedIncident,
    'incident_id' | 'asset_name' | 'alert_policy_name' | 'severity' | 'description' | 'role' | 'reason'
  >[];
};

const HEADLINES = {
  opened: 'New incident',
  severity_raised: 'Incident became more severe',
  still_open: 'Incident still open',
  resolved: 'Incident resolved',
  reopened: 'Incident reopened',
  test: 'Test message; incident',
} as const satisfies { readonly [event in IncidentEventName]: string };

/** More would be cut by whatever shows it. */
const HEADLINE_LENGTH_MAX = 300;

/** One line. */
export function headline({ event, incident, asset, policy }: IncidentMessage): string {
  const severity = incident.severity === '' ? '' : `[${incident.severity}] `;
  return shortened(oneLine(`${severity}${HEADLINES[event]} ${incident.id}: ${policy.name} on ${asset.name}`), HEADLINE_LENGTH_MAX);
}

/** Names and values in the order in which they are worth reading. */
export function facts({ incident, asset, policy, actor, tenant, occurred_at }: IncidentMessage): readonly (readonly [string, string])[] {
  const rows: (readonly [string, string | null])[] = [
    ['Asset', `${asset.name} (${asset.id})`],
    ['Monitor', policy.name],
    ['Severity', incident.severity],
    ['Impact', incident.impact],
    ['Status', incident.status],
    ['Tags', incident.tags.join(', ')],
    ['Tenant', tenant],
    ['By', actor === 'system' ? null : actor],
    ['Time', occurred_at],
  ];
  return rows.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, oneLine(value)] as const]));
}

/** A line for each alert that the message holds, and one for the rest. */
export function alertLines({ alerts, alert_count }: IncidentMessage): readonly string[] {
  const lines = alerts.map(({ attribute, segment, priority, violation_name, metric_value, description }) => {
    const sentence = Object.values(description).flat()[0] ?? `${violation_name} = ${metric_value}`;
    const place = [attribute, segment].filter((part) => part !== '').join(', ');
    return oneLine(`${priority === '' ? '' : `${priority} `}${place === '' ? '' : `${place}: `}${sentence}`);
  });
  const more = alert_count - alerts.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** Sentences on why it happened. */
export function whyLines({ why = [] }: IncidentMessage): readonly string[] {
  return why.map(oneLine);
}

/** A line for each other incident of the same cause. */
export function relatedLines({ related = [] }: IncidentMessage): readonly string[] {
  return related.map(({ incident_id, asset_name, alert_policy_name, severity, description, role }) => {
    const what = role === 'CAUSE' ? 'Its cause, incident' : 'Incident';
    return oneLine(
      `${what} ${incident_id}${severity === '' ? '' : ` [${severity}]`}: ${alert_policy_name} on ${asset_name}: ${description}`,
    );
  });
}

/** Cuts a text to what a receiver takes, in characters. */
export function shortened(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}
