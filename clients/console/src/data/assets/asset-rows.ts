// SPDX-License-Identifier: Apache-2.0
/** What is known of each asset, joined from listings: one request each, however many assets there are. */
import type { Asset, AssetScore, Connection, Incident, ListedJob, Project } from '@sextant/sdk';
import { cronProblem, lastDue, nextRuns } from './schedule.ts';

export type OpenIncidents = {
  readonly high: number;
  readonly medium: number;
  readonly low: number;
  readonly unrated: number;
  readonly total: number;
};

export type AssetRow = {
  readonly asset: Asset;
  readonly project: string;
  /** The connection that it is read through, or how it came. */
  readonly source: string;
  readonly score: AssetScore | undefined;
  readonly open: OpenIncidents;
  /** Its last scan failed or could not evaluate a monitor, the score is poor, or an incident of high severity or impact is open. */
  readonly isUnhealthy: boolean;
  readonly job: ListedJob | undefined;
  /** When its data were last measured. */
  readonly measuredMs: number | null;
  /** An open incident says that the data themselves are late. */
  readonly isLate: boolean;
  /** The schedule asked for a scan that did not come. */
  readonly isOverdue: boolean;
  readonly nextMs: number | null;
};

export type Listings = {
  readonly assets: readonly Asset[];
  readonly projects?: readonly Project[] | undefined;
  readonly connections?: readonly Connection[] | undefined;
  readonly scores?: readonly AssetScore[] | undefined;
  readonly incidents?: readonly Incident[] | undefined;
  /** The last one of each asset. */
  readonly jobs?: readonly ListedJob[] | undefined;
};

/** A scheduled scan may wait for its turn that long before it counts as missing. */
const GRACE_MS = 15 * 60_000;
const GRAVITIES = ['HIGH', 'MEDIUM', 'LOW'] as const;
const NONE_OPEN: OpenIncidents = { high: 0, medium: 0, low: 0, unrated: 0, total: 0 };

export function assetRows(listings: Listings, nowMs: number): readonly AssetRow[] {
  const { assets, projects = [], connections = [], scores = [], incidents = [], jobs = [] } = listings;
  const projectNames = new Map(projects.map(({ id, name }) => [id, name]));
  const connectionNames = new Map(connections.map(({ id, name }) => [id, name]));
  const scoreOf = new Map(scores.map((each) => [each.asset_id, each]));
  const jobOf = new Map(jobs.map((each) => [each.asset_id, each]));
  const openOf = Map.groupBy(incidents, ({ asset_id: id }) => id);
  const times = scheduledTimes(nowMs);
  return assets.map((asset) => {
    const score = scoreOf.get(asset.id);
    const job = jobOf.get(asset.id);
    const incidents = openOf.get(asset.id) ?? [];
    const open = countOpen(incidents);
    return {
      asset,
      project: projectNames.get(asset.project_id) ?? String(asset.project_id),
      source: (asset.connection_id === null ? undefined : connectionNames.get(asset.connection_id)) ?? kindText(asset.type),
      score,
      open,
      isUnhealthy: open.high > 0 || score?.band === 'poor' || job?.status === 'FAILED' || (job?.checks?.errored ?? 0) > 0,
      job,
      measuredMs: score?.metric_time == null ? null : Date.parse(score.metric_time),
      isLate: incidents.some(({ alert_policy_id: policy }) => policy === 'FRESHNESS_DRIFTS'),
      ...dueTimes(asset, job, times),
    };
  });
}

function countOpen(incidents: readonly Incident[]): OpenIncidents {
  if (incidents.length === 0) return NONE_OPEN;
  const grave = incidents.map(gravityOf);
  const of = (gravity: Incident['severity']) => grave.filter((each) => each === gravity).length;
  return { high: of('HIGH'), medium: of('MEDIUM'), low: of('LOW'), unrated: of(''), total: incidents.length };
}

/** The worse of severity and impact. */
function gravityOf({ severity, impact }: Incident): Incident['severity'] {
  return GRAVITIES.find((each) => each === severity || each === impact) ?? '';
}

type Times = (expression: string) => { readonly dueMs: number | null; readonly nextMs: number | null };

/** Many assets share few schedules, and each takes a fraction of a millisecond to work out. */
function scheduledTimes(nowMs: number): Times {
  const known = new Map<string, ReturnType<Times>>();
  return (expression) => {
    const times = known.get(expression) ?? timesOf(expression, nowMs);
    known.set(expression, times);
    return times;
  };
}

function timesOf(expression: string, nowMs: number): ReturnType<Times> {
  if (cronProblem(expression) !== undefined) return { dueMs: null, nextMs: null };
  return { dueMs: lastDue(expression, nowMs - GRACE_MS), nextMs: nextRuns(expression, nowMs, 1)[0] ?? null };
}

function dueTimes({ scheduled_upload: schedule, created_at: created }: Asset, job: ListedJob | undefined, times: Times) {
  if (schedule == null || !schedule.enabled) return { isOverdue: false, nextMs: null };
  const { dueMs, nextMs } = times(schedule.schedule);
  return { isOverdue: dueMs !== null && dueMs > Date.parse(job?.created_at ?? created), nextMs };
}

const KINDS: { readonly [kind in Asset['type']]: string } = {
  FILE: 'local files',
  UPLOAD: 'upload',
  S3: 'S3',
  GCS: 'Google Cloud Storage',
  AZURE: 'Azure Blob Storage',
  POSTGRESQL: 'PostgreSQL',
  SPARK: 'Spark',
  VECTOR_COLLECTION: 'vector service',
  QDRANT: 'Qdrant',
  PGVECTOR: 'pgvector',
  LANCEDB: 'LanceDB',
  MILVUS: 'Milvus',
  BIGQUERY: 'BigQuery',
  REDSHIFT: 'Redshift',
  SNOWFLAKE: 'Snowflake',
  DELTALAKE: 'Delta Lake',
  HIVE_ICEBERG: 'Hive and Iceberg',
  GENERIC_JDBC: 'JDBC',
};

export function kindText(kind: Asset['type']): string {
  return KINDS[kind];
}
