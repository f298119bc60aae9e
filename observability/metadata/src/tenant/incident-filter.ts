// SPDX-License-Identifier: Apache-2.0
/** Which incidents a question is about: the values of one parameter are alternatives, the parameters hold together. */
import { type IncidentFilter, NO_ASSIGNEE, NO_IMPACT } from '@sextant/contracts-observability';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { TenantScope } from '../database/scope.ts';
import { caseless, toMs } from '../database/values.ts';
import { MetadataRefused } from '../errors.ts';

const FILTER_VALUES_MAX = 10_000;

/**
 * The condition of a filter; an empty list filters nothing. Times are inclusive. Kind, connection and name are those that the asset has
 * now; the name of the policy is the one at the time of the incident.
 *
 * @throws MetadataRefused for a time that is none and for more than 10,000 values
 */
export function incidentCondition(
  where: ExpressionBuilder<Schema, 'incidents'>,
  { tenantId, database }: TenantScope,
  filter: IncidentFilter,
): Expression<SqlBool> {
  refuseTooMany(filter);
  const assets = where.selectFrom('assets').select('assets.id').where('assets.tenant_id', '=', tenantId);
  const conditions: Expression<SqlBool>[] = [where('incidents.tenant_id', '=', tenantId)];
  const oneOf = (
    column: 'project_id' | 'asset_id' | 'alert_policy_id' | 'status' | 'severity',
    values: readonly (string | number)[] = [],
  ) => {
    if (values.length > 0) conditions.push(where(`incidents.${column}`, 'in', values as never));
  };
  oneOf('project_id', filter.project_ids);
  oneOf('asset_id', filter.asset_ids);
  oneOf('status', filter.statuses);
  oneOf('alert_policy_id', filter.alert_policy_ids);
  oneOf('severity', filter.severities);
  if (isGiven(filter.impacts)) {
    const levels = filter.impacts.filter((each) => each !== NO_IMPACT);
    const alternatives = levels.length === 0 ? [] : [where('incidents.impact', 'in', levels)];
    if (filter.impacts.includes(NO_IMPACT)) alternatives.push(where('incidents.impact', 'is', null));
    conditions.push(where.or(alternatives));
  }
  if (isGiven(filter.connection_types)) {
    conditions.push(where('incidents.asset_id', 'in', assets.where('assets.type', 'in', filter.connection_types)));
  }
  if (isGiven(filter.connection_ids)) {
    // Text that is no id of ours names no connection.
    const ids = filter.connection_ids.filter((id) => /^[0-9]{1,15}$/.test(id)).map(Number);
    conditions.push(
      ids.length === 0 ? where.lit(false) : where('incidents.asset_id', 'in', assets.where('assets.connection_id', 'in', ids)),
    );
  }
  if (isGiven(filter.assignees)) {
    const emails = filter.assignees.filter((each) => each !== NO_ASSIGNEE).map(caseless);
    const users = where.selectFrom('users').select('users.id').where('users.tenant_id', '=', tenantId);
    const alternatives = emails.length === 0 ? [] : [where('incidents.assignee_id', 'in', users.where('users.email_key', 'in', emails))];
    // The user may be gone since.
    if (filter.assignees.includes(NO_ASSIGNEE)) {
      alternatives.push(where('incidents.assignee_id', 'is', null), where('incidents.assignee_id', 'not in', users));
    }
    conditions.push(where.or(alternatives));
  }
  if (isGiven(filter.tags)) {
    const tagged = where.selectFrom('incident_tags').select('incident_tags.incident_id').where('incident_tags.tenant_id', '=', tenantId);
    conditions.push(where('incidents.id', 'in', tagged.where('incident_tags.tag', 'in', filter.tags)));
  }
  if (filter.from_time !== undefined) conditions.push(where('incidents.created_ms', '>=', toMs(filter.from_time)));
  if (filter.to_time !== undefined) conditions.push(where('incidents.created_ms', '<=', toMs(filter.to_time)));
  if (filter.text_to_search !== undefined) {
    const text = caseless(filter.text_to_search);
    const named = assets.where(database.contains('assets.name_key', text));
    conditions.push(where.or([database.contains('incidents.policy_key', text), where('incidents.asset_id', 'in', named)]));
  }
  return where.and(conditions);
}

function isGiven(values: readonly string[] | undefined): values is readonly string[] {
  return values !== undefined && values.length > 0;
}

function refuseTooMany(filter: IncidentFilter): void {
  const count = Object.values(filter).reduce((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0);
  if (count > FILTER_VALUES_MAX) throw new MetadataRefused(`The filters have ${count} values; at most ${FILTER_VALUES_MAX} are compared.`);
}
