// SPDX-License-Identifier: Apache-2.0
/** The incidents most like one, how they ended and what was said of them. */
import type { SimilarIncident } from '@sextant/contracts-observability';
import type { IncidentOutcome, TenantMetadata } from '@sextant/observability-metadata';
import { similarIncidents } from '@sextant/observability-monitors';

const SHOWN = 3;
/** The newest ones of the tenant. Comparing 2,000 takes some 20 ms, and what is older was handled by other people in another time. */
const COMPARED = 2000;

/** @throws MetadataMissing for an unknown incident */
export async function similarTo(tenant: TenantMetadata, incidentId: number): Promise<readonly SimilarIncident[]> {
  const of = await tenant.incidents.get(incidentId);
  const outcomes = new Map((await tenant.incidents.outcomes({ limit: COMPARED })).map((outcome) => [outcome.id, outcome]));
  const found = similarIncidents(of, [...outcomes.values()], SHOWN);
  const names = new Map((await tenant.assets.list()).map(({ id, name }) => [id, name]));
  return Promise.all(
    found.flatMap(({ id, similarity, shared }) => {
      const outcome = outcomes.get(id);
      return outcome === undefined ? [] : [withCare(tenant, { ...placeOf(outcome, names), similarity, shared })];
    }),
  );
}

type Place = Omit<SimilarIncident, 'similarity' | 'shared' | 'handling' | 'last_comment'>;

function placeOf(outcome: IncidentOutcome, names: ReadonlyMap<string, string>): Place {
  const { id, asset_id, alert_policy_id, alert_policy_name, severity, status, created_time, closed_time, description } = outcome;
  const asset_name = names.get(asset_id) ?? asset_id;
  const policy = { alert_policy_id, alert_policy_name };
  return { incident_id: id, asset_id, asset_name, ...policy, severity, status, created_time, closed_time, description };
}

async function withCare(
  { incidentCare }: TenantMetadata,
  similar: Omit<SimilarIncident, 'handling' | 'last_comment'>,
): Promise<SimilarIncident> {
  const handling = (await incidentCare.handling(similar.incident_id)) ?? null;
  const comments = await incidentCare.comments(similar.incident_id);
  return { ...similar, handling, last_comment: comments.at(-1) ?? null };
}
