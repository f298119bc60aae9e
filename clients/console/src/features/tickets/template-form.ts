// SPDX-License-Identifier: Apache-2.0
/** What is written in the form of a ticket template, and how it becomes one again. */
import type { JsonObject, PutTicketTemplate, TicketTemplate } from '@sextant/sdk';
import { jsonText } from '../../ui/json.ts';
import { variable } from './variables.ts';

/** A field of the ticket: a text, in which variables may stand, or any other JSON as it is written. */
export type FieldRow = {
  /** Of the row on the screen. */
  readonly key: number;
  readonly name: string;
  readonly kind: 'text' | 'json';
  readonly value: string;
};

export type TemplateForm = {
  readonly name: string;
  readonly description: string;
  readonly project: string;
  readonly issueType: string;
  readonly fields: readonly FieldRow[];
};

export const NEW_TEMPLATE: TemplateForm = {
  name: '',
  description: '',
  project: '',
  issueType: '',
  fields: [
    { key: 0, name: 'summary', kind: 'text', value: `${variable('asset.name')}: ${variable('incident.description')}` },
    {
      key: 1,
      name: 'description',
      kind: 'text',
      value: `Incident ${variable('incident.id')} of ${variable('asset.name')}, found by ${variable('policy.name')}.\n${variable('link')}`,
    },
  ],
};

export function templateFormOf({ name, description, props }: TicketTemplate): TemplateForm {
  return {
    name,
    description: description ?? '',
    project: props.tracker_project_id,
    issueType: props.tracker_issue_type_id,
    fields: Object.entries(props.custom_fields).map(([field, value], key) => ({
      key,
      name: field,
      ...(typeof value === 'string' ? { kind: 'text' as const, value } : { kind: 'json' as const, value: jsonText(value, 2) }),
    })),
  };
}

export function nextKey(fields: readonly FieldRow[]): number {
  return Math.max(-1, ...fields.map(({ key }) => key)) + 1;
}

/** What is wrong with a field, by its key; the service never sees what cannot be sent. */
export function fieldProblems(fields: readonly FieldRow[]): ReadonlyMap<number, string> {
  const problems = new Map<number, string>();
  const names = new Set<string>();
  for (const { key, name, kind, value } of fields) {
    if (name.trim() === '') problems.set(key, 'Enter a name for the field.');
    else if (names.has(name)) problems.set(key, `There is already a field ${name}.`);
    else if (kind === 'json' && parsed(value) === undefined)
      problems.set(key, 'This is not valid JSON. To enter plain text, choose the kind text.');
    names.add(name);
  }
  return problems;
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** @param form without problems */
export function propsOf({ project, issueType, fields }: TemplateForm): PutTicketTemplate['props'] {
  const entries = fields.map(({ name, kind, value }) => [name, kind === 'text' ? value : parsed(value)?.value] as const);
  return {
    tracker_project_id: project.trim(),
    tracker_issue_type_id: issueType.trim(),
    // What was parsed from JSON is JSON.
    custom_fields: Object.fromEntries(entries) as JsonObject,
  };
}

/** @param before what is stored, which tells a description that was left open from one that was emptied */
export function templateBodyOf(form: TemplateForm, before?: TicketTemplate): PutTicketTemplate {
  const isOpen = form.description === '' && before?.description == null;
  return { name: form.name, description: isOpen ? null : form.description, type: 'TRACKER', props: propsOf(form) };
}
