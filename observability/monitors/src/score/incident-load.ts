// SPDX-License-Identifier: Apache-2.0
/** How heavily open incidents weigh: by their severity, and by the share of the asset that each touches. */
import type { Incident, ScoreSource } from '@sextant/contracts-observability';

/** What the score asks of an open incident; null among the attributes is the asset as a whole. */
export type ScoredIncident = Pick<Incident, 'id' | 'alert_policy_id' | 'severity'> & { readonly attributes: readonly (string | null)[] };

/** The open incidents of an asset, and how many attributes it has. */
export type ScoreExposure = { readonly open_incidents: readonly ScoredIncident[]; readonly attributes: number };

export type ScoreCap = { readonly score: number; readonly incident_id: number; readonly sentence: string };

/** Load at which consistency is 0: the published number of open incidents, each of which then weighed the same. */
export const LOAD_MAX = 20;
/** As how many of the lightest an incident weighs that touches the whole asset. */
const WEIGHTS: { readonly [severity in Incident['severity']]: number } = { HIGH: 10, MEDIUM: 4, LOW: 1, '': 4 };
/** The best score beside an open incident of high severity: just below excellent where it touches next to nothing, poor where it touches all. */
const CAP_BEST = 89;
const CAP_WORST = 50;
const LISTED = 100;

export type IncidentLoad = { readonly total: number; readonly incidents: NonNullable<ScoreSource['incidents']> };

/** The heaviest first. */
export function incidentLoad({ open_incidents, attributes }: ScoreExposure): IncidentLoad {
  const weighed = open_incidents.map((incident) => {
    const touched_share = touchedShare(incident, attributes);
    return { incident, touched_share, load: Math.max(1, WEIGHTS[incident.severity] * touched_share) };
  });
  const total = weighed.reduce((sum, { load }) => sum + load, 0);
  // Together they lose no more than there is.
  const pointsOf = (load: number) => (100 * load) / Math.max(LOAD_MAX, total);
  const incidents = weighed
    .toSorted((one, other) => other.load - one.load)
    .slice(0, LISTED)
    .map(({ incident: { id, severity }, touched_share, load }) => ({ id, severity, touched_share, lost: pointsOf(load) }));
  return { total, incidents };
}

/** Undefined while no incident of high severity is open. */
export function scoreCap({ open_incidents, attributes }: ScoreExposure): ScoreCap | undefined {
  const [worst] = open_incidents
    .filter(({ severity }) => severity === 'HIGH')
    .map((incident) => ({ id: incident.id, share: touchedShare(incident, attributes) }))
    .toSorted((one, other) => other.share - one.share);
  if (worst === undefined) return undefined;
  const score = CAP_BEST - (CAP_BEST - CAP_WORST) * worst.share;
  const part = `${Math.round(100 * worst.share)} % of the asset`;
  return { score, incident_id: worst.id, sentence: `Incident ${worst.id} of high severity is open and affects ${part}.` };
}

/** What is not known to touch a part alone touches all. */
function touchedShare({ attributes }: ScoredIncident, known: number): number {
  if (attributes.length === 0 || attributes.includes(null) || known === 0) return 1;
  return Math.min(1, new Set(attributes).size / known);
}
