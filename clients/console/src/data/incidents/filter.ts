// SPDX-License-Identifier: Apache-2.0
/** What the list of incidents is narrowed by. It stands in the address under the names of the service, each list joined by commas. */
import type { IncidentFilterQuery } from '@sextant/sdk';
import { type AddressOf, readAddress } from '../../ui/address.ts';

/** In the order in which they are shown. */
export const LISTS = [
  'statuses',
  'impacts',
  'severities',
  'asset_ids',
  'alert_policy_ids',
  'assignees',
  'tags',
  'project_ids',
  'connection_types',
  'connection_ids',
] as const;
const TEXTS = ['text', 'from', 'to'] as const;

export type ListName = (typeof LISTS)[number];
export type TextName = (typeof TEXTS)[number];
const NAMES: readonly (ListName | TextName)[] = [...LISTS, ...TEXTS];
/** Each of them, which `fromEntries` cannot say. */
const FIELDS = Object.fromEntries(NAMES.map((name) => [name, 'text'])) as { readonly [Name in ListName | TextName]: 'text' };

/** Days are days of UTC, as the service counts them. */
export type IncidentFilter = AddressOf<typeof FIELDS>;

export const LABELS: { readonly [Name in ListName | TextName]: string } = {
  statuses: 'Status',
  impacts: 'Impact',
  severities: 'Severity',
  asset_ids: 'Asset',
  alert_policy_ids: 'Monitor',
  assignees: 'Assignee',
  tags: 'Tag',
  project_ids: 'Project',
  connection_types: 'Source type',
  connection_ids: 'Connection',
  text: 'Text',
  from: 'From',
  to: 'To',
};

/** The filter that an address says. A lone number in it was read as one. */
export function incidentFilter(search: Readonly<Record<string, unknown>>): IncidentFilter {
  return readAddress(search, FIELDS);
}

/** As the service is asked. */
export function filterQuery({ text, from, to, ...lists }: IncidentFilter): IncidentFilterQuery {
  return {
    ...lists,
    ...(text !== undefined && { text_to_search: text }),
    ...(from !== undefined && { from_time: `${from}T00:00:00.000Z` }),
    ...(to !== undefined && { to_time: `${to}T23:59:59.999Z` }),
  };
}

export function valuesOf(filter: IncidentFilter, name: ListName): string[] {
  return filter[name]?.split(',') ?? [];
}

/** A filter with other values of one name; none takes the name away. */
export function withValues(filter: IncidentFilter, name: ListName | TextName, values: readonly string[]): IncidentFilter {
  return { ...filter, [name]: values.length === 0 ? undefined : values.join(',') };
}

export type Chip = { readonly name: ListName | TextName; readonly value: string; readonly label: string };

/** Each thing that is filtered by, in words; `nameOf` knows what an id stands for. */
export function chipsOf(filter: IncidentFilter, nameOf: (name: ListName, value: string) => string): readonly Chip[] {
  const lists = LISTS.flatMap((name) =>
    valuesOf(filter, name).map((value) => ({ name, value, label: `${LABELS[name]}: ${nameOf(name, value)}` })),
  );
  const { from, to, text } = filter;
  if (from !== undefined && from === to) return [...lists, ...textChip(text), { name: 'from', value: from, label: `On ${from} (UTC)` }];
  const days = (['from', 'to'] as const).flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [{ name, value, label: `${LABELS[name]} ${value} (UTC)` }];
  });
  return [...lists, ...textChip(text), ...days];
}

function textChip(text: string | undefined): readonly Chip[] {
  return text === undefined ? [] : [{ name: 'text', value: text, label: `“${text}”` }];
}

/** The filter without what a chip says; the chip of a single day stands for both of its ends. */
export function withoutChip(filter: IncidentFilter, { name, value }: Chip): IncidentFilter {
  if (name === 'text' || name === 'to') return { ...filter, [name]: undefined };
  if (name === 'from') return { ...filter, from: undefined, ...(filter.from === filter.to && { to: undefined }) };
  return withValues(
    filter,
    name,
    valuesOf(filter, name).filter((each) => each !== value),
  );
}

export function isFiltered(filter: IncidentFilter): boolean {
  return NAMES.some((name) => filter[name] !== undefined);
}
