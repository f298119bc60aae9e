// SPDX-License-Identifier: Apache-2.0
/** The filters of incidents: from the text of a query string to values. */

import { type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { ApiError } from './errors.ts';
import type { IncidentStatus } from './incident-schemas.ts';
import { type IncidentFilter, NO_ASSIGNEE, NO_IMPACT } from './incidents.ts';
import { KINDS } from './source-schemas.ts';
import { parseTimestamp } from './timestamp.ts';
import { queryInteger } from './value-schemas.ts';

const LIST_TEXT_MAX = 65_536;
/** Values of one parameter; each becomes a parameter of a statement. */
const VALUES_MAX = 1000;
const list = Type.Optional(Type.String({ maxLength: LIST_TEXT_MAX }));
const time = Type.Optional(Type.String({ maxLength: 64, description: 'ISO 8601; inclusive.' }));

export const incidentFilterMembers = {
  project_ids: list,
  connection_types: list,
  asset_ids: list,
  alert_policy_ids: list,
  statuses: list,
  severities: list,
  impacts: Type.Optional(
    Type.String({ maxLength: LIST_TEXT_MAX, description: `LOW, MEDIUM, HIGH; \`${NO_IMPACT}\` for incidents whose monitor sets none.` }),
  ),
  connection_ids: list,
  assignees: Type.Optional(
    Type.String({ maxLength: LIST_TEXT_MAX, description: `E-mail addresses; \`${NO_ASSIGNEE}\` for unassigned incidents.` }),
  ),
  tags: list,
  from_time: time,
  to_time: time,
  text_to_search: Type.Optional(Type.String({ maxLength: 1024 })),
};

export const incidentFilterQuerySchema = strict(incidentFilterMembers, { title: 'IncidentFilterQuery' });
export const incidentListQuerySchema = strict(
  { ...incidentFilterMembers, limit: Type.Optional(queryInteger), offset: Type.Optional(queryInteger) },
  { title: 'IncidentListQuery' },
);

type FilterQuery = Static<typeof incidentFilterQuerySchema>;

const LEVELS = ['LOW', 'MEDIUM', 'HIGH'];
const STATUSES: readonly IncidentStatus[] = ['OPEN', 'CLOSED'];

/** Comma-separated lists as arrays, times in UTC; an `ApiError` (400) names the parameter that is wrong. An empty parameter filters nothing. */
export function parseIncidentFilter(query: FilterQuery): IncidentFilter {
  const filter = {
    project_ids: itemsOf('project_ids', query)?.map((item) => integerOf('project_ids', item)),
    connection_types: itemsOf('connection_types', query)?.map(connectionTypeOf),
    asset_ids: itemsOf('asset_ids', query),
    alert_policy_ids: itemsOf('alert_policy_ids', query),
    statuses: itemsOf('statuses', query)?.map((item) => statusOf('statuses', item)),
    severities: itemsOf('severities', query)?.map((item) => levelOf('severities', item)),
    impacts: itemsOf('impacts', query)?.map(impactOf),
    connection_ids: itemsOf('connection_ids', query),
    assignees: itemsOf('assignees', query),
    tags: itemsOf('tags', query),
    ...parsePeriod(query),
    text_to_search: query.text_to_search === '' ? undefined : query.text_to_search,
  };
  return withoutUndefined(filter);
}

/** `from_time` and `to_time` in UTC with milliseconds. */
export function parsePeriod(query: { readonly from_time?: string | undefined; readonly to_time?: string | undefined }): {
  readonly from_time?: string;
  readonly to_time?: string;
} {
  const from = query.from_time === undefined || query.from_time === '' ? undefined : timeOf('from_time', query.from_time);
  const to = query.to_time === undefined || query.to_time === '' ? undefined : timeOf('to_time', query.to_time);
  if (from !== undefined && to !== undefined && from > to) throw refused('from_time', 'must not be after to_time');
  return { ...(from === undefined ? {} : { from_time: from }), ...(to === undefined ? {} : { to_time: to }) };
}

function itemsOf(parameter: keyof FilterQuery, query: FilterQuery): readonly string[] | undefined {
  const items = (query[parameter] ?? '').split(',').map((item) => item.trim());
  const given = [...new Set(items)].filter((item) => item !== '');
  if (given.length > VALUES_MAX) throw refused(parameter, `expected at most ${VALUES_MAX} values, got ${given.length}`);
  return given.length === 0 ? undefined : given;
}

function integerOf(parameter: string, item: string): number {
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(item))
    throw refused(parameter, `expected integers separated by commas, got ${JSON.stringify(item)}`);
  return Number(item);
}

function levelOf(parameter: string, item: string): string {
  if (!LEVELS.includes(item)) throw refused(parameter, `expected LOW, MEDIUM or HIGH separated by commas, got ${JSON.stringify(item)}`);
  return item;
}

function connectionTypeOf(item: string): string {
  const known: readonly string[] = KINDS;
  if (known.includes(item)) return item;
  throw refused('connection_types', `expected ${KINDS.join(', ')} separated by commas, got ${JSON.stringify(item)}`);
}

function impactOf(item: string): string {
  if (item === NO_IMPACT || LEVELS.includes(item)) return item;
  throw refused('impacts', `expected LOW, MEDIUM, HIGH or ${NO_IMPACT} separated by commas, got ${JSON.stringify(item)}`);
}

function statusOf(parameter: string, item: string): IncidentStatus {
  const status = STATUSES.find((each) => each === item);
  if (status === undefined) throw refused(parameter, `expected OPEN or CLOSED separated by commas, got ${JSON.stringify(item)}`);
  return status;
}

function timeOf(parameter: string, written: string): string {
  const time = parseTimestamp(written);
  if (time === undefined) {
    throw refused(parameter, `expected an ISO 8601 timestamp such as 2026-01-31T12:00:00.000Z, got ${JSON.stringify(written)}`);
  }
  return time;
}

function refused(parameter: string, reason: string): ApiError {
  return new ApiError('bad_request', { reason: `${parameter}: ${reason}` });
}

function withoutUndefined(filter: { readonly [Name in keyof IncidentFilter]: IncidentFilter[Name] | undefined }): IncidentFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
