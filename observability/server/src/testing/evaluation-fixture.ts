// SPDX-License-Identifier: Apache-2.0
/** Assets whose scans find what a test says: real store, real queue, real conclusions; only the measuring and the verdicts are given. */
import { randomBytes } from 'node:crypto';
import type { Asset, Monitor } from '@sextant/contracts-observability';
import { manualClock } from '@sextant/foundation-std';
import { type ClaimedJob, type Metadata, openMetadata, type TenantMetadata } from '@sextant/observability-metadata';
import type { Evaluation, Verdict, Violation } from '@sextant/observability-monitors';
import { evaluatedScans } from '../evaluation/evaluated-scans.ts';
import type { EvaluatedInput } from '../evaluation/evaluation-input.ts';
import type { Evaluate } from '../evaluation/evaluation-threads.ts';
import type { JobWork } from '../jobs/job-runner.ts';
import type { ScanOutcome } from '../jobs/scan-job.ts';

export const START_MS = Date.parse('2025-01-01T00:00:00.000Z');
const LEASE_MS = 30_000;

/** By monitor: how many columns it finds at fault, or which; null where it could not be evaluated. The others are clear. */
export type Found = { readonly [monitorId: string]: number | readonly string[] | null };

export type EvaluationFixture = AsyncDisposable & {
  readonly clock: ReturnType<typeof manualClock>;
  readonly tenant: TenantMetadata;
  readonly newAsset: (name: string) => Promise<Asset>;
  /** Starts a scan, and does no more. */
  readonly claim: (assetId: string) => Promise<ClaimedJob>;
  /** Takes up a job whose worker died, or that waits; undefined where there is none. */
  readonly takeUp: () => Promise<ClaimedJob | undefined>;
  readonly finish: (claimed: ClaimedJob, found?: Found) => Promise<void>;
  readonly fail: (claimed: ClaimedJob, details: string, isCancelled?: boolean) => Promise<void>;
  /** Measures, and the evaluation throws. */
  readonly finishUnevaluated: (claimed: ClaimedJob, error: Error) => Promise<void>;
  /** The work on scans, with an evaluation of the test's own. */
  readonly work: (evaluate: Evaluate) => JobWork;
  /** Closes the store and opens it again. */
  readonly restart: () => Promise<void>;
};

export type EvaluationFixtureOptions = {
  readonly startMs?: number;
  /** Called before each write of a store while a job is concluded. */
  readonly onWrite?: () => void;
};

export async function openEvaluationFixture(
  directory: string,
  { startMs = START_MS, onWrite = () => undefined }: EvaluationFixtureOptions = {},
): Promise<EvaluationFixture> {
  const clock = manualClock(startMs);
  const open = (): Promise<Metadata> => openMetadata({ directory }, { clock, randomBytes, encryptionKey: new Uint8Array(32) });
  let metadata = await open();
  if ((await metadata.platform.tenants.find('acme')) === undefined) await metadata.platform.tenants.create({ id: 'acme', name: 'Acme' });
  const work = (evaluate: Evaluate) =>
    evaluatedScans({
      metadata: { ...metadata, forTenant: (id) => overheard(metadata.forTenant(id), onWrite) },
      scan: async () => scanned(clock.nowMs()),
      evaluate,
      clock,
      log: { error: () => undefined },
    });
  const finishWith = async (claimed: ClaimedJob, evaluate: Evaluate) => {
    const store = await work(evaluate).run(claimed, { signal: new AbortController().signal, onProgress: () => undefined });
    await store();
  };
  return {
    clock,
    get tenant() {
      return metadata.forTenant('acme');
    },
    newAsset: (name) => metadata.forTenant('acme').assets.create({ ...NEW_ASSET, name }),
    claim: async (asset_id) => {
      await metadata.forTenant('acme').jobs.enqueue({ asset_id, request: {}, whenBusy: 'refuse' });
      const claimed = await metadata.platform.jobs.claimNext({ worker: 'test', leaseMs: LEASE_MS });
      if (claimed === undefined) throw new Error('there is no job to claim');
      return claimed;
    },
    takeUp: async () => {
      await metadata.platform.jobs.releaseLeases();
      return metadata.platform.jobs.claimNext({ worker: 'test', leaseMs: LEASE_MS });
    },
    finish: (claimed, found = {}) =>
      finishWith(claimed, async ({ monitors, points }) => ({
        points: points.map(inBand),
        verdicts: verdictsOf(monitors, found),
        detectorStates: [],
      })),
    fail: (claimed, details, isCancelled = false) => work(async () => NOTHING).fail(claimed, { details, isCancelled }),
    finishUnevaluated: (claimed, error) => finishWith(claimed, () => Promise.reject(error)),
    work,
    restart: async () => {
      await metadata[Symbol.asyncDispose]();
      metadata = await open();
    },
    [Symbol.asyncDispose]: () => metadata[Symbol.asyncDispose](),
  };
}

/** The same stores; `onWrite` hears of each write before it is made. */
function overheard(tenant: TenantMetadata, onWrite: () => void): TenantMetadata {
  const hear =
    <Given extends unknown[], Answer>(method: (...given: Given) => Answer) =>
    (...given: Given): Answer => {
      onWrite();
      return method(...given);
    };
  const stores = Object.entries(tenant).map(([name, store]) => {
    if (typeof store !== 'object') return [name, store];
    const methods = Object.entries(store).map(([method, run]) => [method, READS.test(method) ? run : hear(run)]);
    return [name, Object.fromEntries(methods)];
  });
  const atomically: TenantMetadata['atomically'] = (run) => tenant.atomically((own) => run(overheard(own, onWrite)));
  // Each store has the methods that it had.
  return { ...(Object.fromEntries(stores) as TenantMetadata), atomically };
}

/** Methods that change nothing; one that is missing here counts as a write. */
const READS = /^(get|list|find|tracked|roots|related|handling|scans|last|newest|recent|of|open.+|schemaChanges)/;

const NEW_ASSET = {
  project_id: 0,
  description: null,
  type: 'UPLOAD',
  options: {},
  payload: {},
  connection_id: null,
  db_type: null,
  tags: ['sales'],
  webhook_url: null,
  created_by: 'ada',
} as const;

const NOTHING: EvaluatedInput = { points: [], verdicts: [], detectorStates: [] };

const POINT = {
  metric_name: 'RECORD_COUNT',
  metric_aggregation: 'count',
  attribute: null,
  segment: null,
  monitor_id: null,
  value: 10,
} as const;

function scanned(nowMs: number): ScanOutcome {
  return {
    details: '10 records scanned.',
    metric_time: new Date(nowMs).toISOString(),
    metrics: [POINT],
    rows_read: 10,
    schema_changes: [],
    samples: [],
    memory: null,
    rule_counts: [],
    segment_moves: [],
    failures: [],
    columns: undefined,
    options: {},
  };
}

function inBand(point: (typeof NOTHING.points)[number] | ScanOutcome['metrics'][number]): Evaluation['points'][number] {
  return { ...point, lower_bound: 5, upper_bound: 15, is_violation: false };
}

function verdictsOf(monitors: readonly Monitor[], found: Found): readonly Verdict[] {
  return monitors.map((monitor) => {
    const given = found[monitor.id] ?? (monitor.id in found ? null : 0);
    const columns = typeof given === 'number' ? Array.from({ length: given }, (_, index) => `column ${index}`) : (given ?? []);
    const violations = columns.map((column, index) => violation(monitor, column, index));
    return { monitor, outcome: given === null ? 'unknown' : violations.length === 0 ? 'clear' : 'violated', violations };
  });
}

function violation({ id }: Monitor, column: string, index: number): Violation {
  return {
    monitor_id: id,
    violation_name: `FEATURE.${id}.${column}`,
    type: 'METRIC_DRIFT',
    metric_name: 'COMPLETENESS',
    metric_aggregation: 'ratio',
    attribute: column,
    segment: null,
    series: null,
    rule: null,
    value: 50,
    band: { lower: 90, upper: 100 },
    priority: index === 0 ? 'MEDIUM' : 'LOW',
    sentence: `${column.replace('column', 'Column')} is half empty.`,
    facts: {},
  };
}
