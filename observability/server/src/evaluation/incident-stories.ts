// SPDX-License-Identifier: Apache-2.0
/** Writes down why the incidents of a scan are there and which of them have one cause, in the transaction of the scan. */
import type { Asset, IncidentEvidence, Job } from '@sextant/contracts-observability';
import type { CommonCause, TenantMetadata } from '@sextant/observability-metadata';
import { commonCauses, type RaisedAlert, whySentences } from '@sextant/observability-monitors';
import type { IncidentEvent } from '../delivery/incident-event.ts';
import { openUpstream, pathsOfColumns } from './upstream.ts';

export type ToldEvent = IncidentEvent & {
  readonly alerts: readonly RaisedAlert[];
  readonly evidence: readonly IncidentEvidence[];
};

/** The same events, each with the incident that is its cause. */
export async function tellStories(
  tenant: TenantMetadata,
  { asset, job, events }: { readonly asset: Asset; readonly job: Pick<Job, 'id'>; readonly events: readonly ToldEvent[] },
): Promise<readonly IncidentEvent[]> {
  const known = await tenant.incidentStories.rootsOf(events.map(({ incident }) => incident.id));
  const violated = events.filter(({ alerts }) => alerts.length > 0);
  const causes = violated.some(isFresh) ? await causesOf(tenant, { asset, violated, known }) : new Map<number, CommonCause>();
  for (const event of violated) {
    const { incident } = event;
    const evidence = isFresh(event) ? event.evidence : [...event.evidence, ...(await brokenDown(tenant, event))];
    const cause = isFresh(event) ? { cause: causes.get(incident.id) ?? null } : {};
    await tenant.incidentStories.put(incident.id, { job_id: job.id, evidence, why: whySentences(evidence), ...cause });
  }
  return events.map((event) => {
    const { id } = event.incident;
    return { ...event, rootId: (isFresh(event) ? causes.get(id)?.root_id : known.get(id)) ?? id };
  });
}

/** The scan before an ongoing one was as bad, so that the rows that made the change are those of when it began. */
async function brokenDown(tenant: TenantMetadata, { incident, evidence }: ToldEvent): Promise<readonly IncidentEvidence[]> {
  if (evidence.some(({ kind }) => kind === 'SEGMENTS')) return [];
  const story = await tenant.incidentStories.find(incident.id);
  return story?.evidence.filter(({ kind }) => kind === 'SEGMENTS') ?? [];
}

type Violated = {
  readonly asset: Asset;
  readonly violated: readonly ToldEvent[];
  readonly known: ReadonlyMap<number, number>;
};

async function causesOf(tenant: TenantMetadata, { asset, violated, known }: Violated): Promise<ReadonlyMap<number, CommonCause>> {
  const candidates = violated.map((event) => {
    const { incident, alerts, evidence } = event;
    const isNew = isFresh(event);
    return { id: incident.id, isFresh: isNew, rootId: isNew ? undefined : known.get(incident.id), alerts, evidence };
  });
  const attributes = violated.flatMap(({ alerts }) => alerts.flatMap(({ metric }) => metric.attribute ?? []));
  const columns = await pathsOfColumns(tenant, asset, attributes);
  return commonCauses(candidates, await openUpstream(tenant, asset.id, columns), columns);
}

function isFresh({ state }: Pick<IncidentEvent, 'state'>): boolean {
  return state === 'NEW' || state === 'REOPENED';
}
