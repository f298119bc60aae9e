// SPDX-License-Identifier: Apache-2.0
/** The fields of an issue as the tracker's API wants them, from a ticket template and what it speaks of. */
import type { TicketTemplate } from '@sextant/contracts-observability';
import type { IssueFields } from '@sextant/observability-delivery';
import type { TicketVariables } from './ticket-variables.ts';

export type FilledTemplate = {
  readonly fields: IssueFields;
  /** Names that the template uses and that mean nothing, in the order in which they come. */
  readonly unknown: readonly string[];
};

/** The tracker's own bound on a summary, which is one line. */
const SUMMARY_LENGTH_MAX = 255;
/** What a template that says nothing of them sends: a tracker wants a summary at least. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the notation of templates is the same
const DEFAULT_SUMMARY = '${policy.name} on ${asset.name} (incident ${incident.id})';
const DEFAULT_DESCRIPTION =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the notation of templates is the same
  '${incident.description}\n\n${incident.why}\n\nSeverity: ${severity}\nImpact: ${impact}\nAsset: ${asset.name}\n${link}';

export function issueFields(
  { tracker_project_id, tracker_issue_type_id, custom_fields }: TicketTemplate['props'],
  { variables, labels }: { readonly variables: TicketVariables; readonly labels: readonly string[] },
): FilledTemplate {
  const unknown = new Set<string>();
  const written = { summary: DEFAULT_SUMMARY, description: DEFAULT_DESCRIPTION, ...custom_fields };
  // The values of an object stay an object.
  const filled = fill(written, variables, unknown) as { readonly [field: string]: unknown };
  const fields = {
    ...filled,
    ...(typeof filled.summary === 'string' ? { summary: summaryLine(filled.summary) } : {}),
    ...(typeof filled.description === 'string' ? { description: filled.description.trim().replaceAll(/\n{3,}/g, '\n\n') } : {}),
    labels: [...(Array.isArray(filled.labels) ? filled.labels.map(String) : []), ...labels],
    project: { id: tracker_project_id },
    issuetype: { id: tracker_issue_type_id },
  };
  return { fields, unknown: [...unknown] };
}

/** Replaces `${name}` in every text, however deep; what has no meaning stays as it is. */
function fill(value: unknown, variables: TicketVariables, unknown: Set<string>): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\{([^{}]{0,100})\}/g, (written, name: string) => {
      if (Object.hasOwn(variables, name)) return variables[name] ?? written;
      unknown.add(name);
      return written;
    });
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, variables, unknown));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member, variables, unknown)]));
}

function summaryLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= SUMMARY_LENGTH_MAX ? line : `${line.slice(0, SUMMARY_LENGTH_MAX - 1)}…`;
}
