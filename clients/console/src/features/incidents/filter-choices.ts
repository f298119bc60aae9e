// SPDX-License-Identifier: Apache-2.0
/** What incidents can be filtered by in this tenant, and what an id is called. */
import { useQuery } from '@tanstack/react-query';
import { kindText } from '../../data/assets/asset-rows.ts';
import { assetList, projectList } from '../../data/assets/queries.ts';
import { connectionList } from '../../data/connections.ts';
import type { ListName } from '../../data/incidents/filter.ts';
import { incidentSummary, knownPolicies, NOT_RATED } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { useUserEmails } from '../../data/users.ts';

export type Choice = { readonly value: string; readonly label: string };

/** As the service writes it among assignees, for nobody. */
const NOBODY = 'nobody';

const FIXED = {
  statuses: [
    { value: 'OPEN', label: 'open' },
    { value: 'CLOSED', label: 'closed' },
  ],
  impacts: [...levels(), { value: NOT_RATED, label: 'not rated' }],
  severities: levels(),
} as const;

function levels(): readonly Choice[] {
  return ['HIGH', 'MEDIUM', 'LOW'].map((value) => ({ value, label: value.toLowerCase() }));
}

export type Choices = {
  readonly of: (name: ListName) => readonly Choice[];
  readonly nameOf: (name: ListName, value: string) => string;
};

export function useFilterChoices(): Choices {
  const { observability, member } = useServices();
  const assets = useQuery(assetList(observability)).data ?? [];
  const policies = useQuery(knownPolicies(observability)).data ?? [];
  const summary = useQuery(incidentSummary(observability)).data;
  const projects = useQuery(projectList(observability)).data;
  const connections = useQuery(connectionList(observability)).data;
  const users = useUserEmails();
  const me = member?.username;
  const emails = users ?? (me === undefined ? [] : [me]);
  const choices: { readonly [Name in ListName]: readonly Choice[] } = {
    ...FIXED,
    asset_ids: named(assets.map(({ id, name }) => [id, name])),
    alert_policy_ids: named(policies.map((each) => [each.alert_policy_id, each.alert_policy_name])),
    assignees: [{ value: NOBODY, label: 'nobody' }, ...named(emails.map((email) => [email, email === me ? `${email} (you)` : email]))],
    // A list is joined by commas, so what holds one cannot be asked for.
    tags: named(
      Object.keys({ ...summary?.open_by_tag, ...summary?.closed_by_tag })
        .filter((tag) => !tag.includes(','))
        .map((tag) => [tag, tag]),
    ),
    project_ids: named(projects?.map(({ id, name }) => [String(id), name]) ?? []),
    connection_types: named([...new Set(assets.map(({ type }) => type))].map((type) => [type, kindText(type)])),
    connection_ids: named(connections?.map(({ id, name }) => [String(id), name]) ?? []),
  };
  return {
    of: (name) => choices[name],
    nameOf: (name, value) => choices[name].find((each) => each.value === value)?.label ?? value,
  };
}

/** By label; an id that comes again keeps the name that came first, which is the newest. */
function named(pairs: readonly (readonly [value: string, label: string])[]): readonly Choice[] {
  const labels = new Map(pairs.toReversed());
  return [...labels].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label));
}
