// SPDX-License-Identifier: Apache-2.0
import type { CellFindings, CellVerdict, RuleSupport } from '@sextant/contracts-observability';
import { ownRows, putRow, type Queries, type TenantScope } from '../database/scope.ts';
import { fromJson, toFlag, toJson, toTime } from '../database/values.ts';
import { MetadataConflict } from '../errors.ts';
import { requireAsset } from './references.ts';

/** What the newest search of an asset found. */
export type StoredFindings = {
  readonly job_id: string;
  readonly metric_time: string;
  readonly findings: CellFindings;
  /** By the id of the rule, newest first. */
  readonly ruleHistory: RuleHistory;
};

type RuleHistory = { readonly [ruleId: string]: readonly RuleSupport[] };
/** As it is kept; searches before there was a history have none. */
type Kept = CellFindings & { readonly ruleHistory?: RuleHistory };

/** What searches for wrong cells propose, and what people say of it. Findings are written by `jobs.finish`. */
export type WrongCellStore = {
  /** Undefined before the first search. @throws MetadataMissing for an unknown asset */
  readonly findings: (assetId: string) => Promise<StoredFindings | undefined>;
  readonly verdicts: (assetId: string) => Promise<readonly CellVerdict[]>;
  /** In place of what was said of the value before. @throws MetadataMissing; MetadataConflict where the asset has 10,000 verdicts */
  readonly say: (assetId: string, verdict: CellVerdict, actor: string) => Promise<void>;
  readonly takeBack: (assetId: string, value: Pick<CellVerdict, 'attribute' | 'valueKey'>) => Promise<void>;
};

/** They go with each scan of the asset. */
const VERDICTS_MAX = 10_000;
/** Searches of which a rule's support is kept, and rules of which it is. */
const HISTORY_MAX = 60;
const RULES_WITH_HISTORY_MAX = 200;

export function wrongCellStore({ tenantId, db, write, clock, own }: TenantScope): WrongCellStore {
  return {
    findings: async (assetId) => {
      await requireAsset(db, tenantId, assetId);
      const row = await own(db).selectFrom('cell_findings').selectAll().where('asset_id', '=', assetId).executeTakeFirst();
      if (row === undefined) return undefined;
      const { ruleHistory = {}, ...findings } = fromJson<Kept>(row.findings);
      return { job_id: row.job_id, metric_time: toTime(row.metric_ms), findings, ruleHistory };
    },
    verdicts: async (assetId) => {
      const rows = await own(db)
        .selectFrom('cell_verdicts')
        .selectAll()
        .where('asset_id', '=', assetId)
        .orderBy('attribute')
        .orderBy('value_key')
        .execute();
      return rows.map(({ attribute, value_key, is_wrong, detectors }) => ({
        attribute,
        valueKey: value_key,
        isWrong: is_wrong === 1,
        detectors: fromJson<CellVerdict['detectors']>(detectors),
      }));
    },
    say: (assetId, { attribute, valueKey, isWrong, detectors }, actor) =>
      write(async (transaction) => {
        await requireAsset(transaction, tenantId, assetId);
        const columns = { is_wrong: toFlag(isWrong), detectors: toJson(detectors), actor, event_ms: clock.nowMs() };
        const key = { tenant_id: tenantId, asset_id: assetId, attribute, value_key: valueKey };
        await putRow(transaction, 'cell_verdicts', { key, columns });
        const { count } = await own(transaction)
          .selectFrom('cell_verdicts')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('asset_id', '=', assetId)
          .executeTakeFirstOrThrow();
        if (Number(count) > VERDICTS_MAX) {
          throw new MetadataConflict('asset', `Asset ${assetId} has ${VERDICTS_MAX} verdicts, which is the maximum. Remove some first.`);
        }
      }),
    takeBack: (assetId, { attribute, valueKey }) =>
      write(async (transaction) => {
        await own(transaction)
          .deleteFrom('cell_verdicts')
          .where('asset_id', '=', assetId)
          .where('attribute', '=', attribute)
          .where('value_key', '=', valueKey)
          .execute();
      }),
  };
}

/** In place of what the search before it found, but for the history of rules. */
export async function putCellFindings(
  db: Queries,
  { tenant_id, asset_id, id: job_id }: { readonly tenant_id: string; readonly asset_id: string; readonly id: string },
  found: { readonly metric_ms: number; readonly findings: CellFindings },
): Promise<void> {
  const before = await ownRows(db, tenant_id)
    .selectFrom('cell_findings')
    .select('findings')
    .where('asset_id', '=', asset_id)
    .executeTakeFirst();
  const ruleHistory = continued(before === undefined ? {} : (fromJson<Kept>(before.findings).ruleHistory ?? {}), found);
  const columns = { job_id, metric_ms: found.metric_ms, findings: toJson({ ...found.findings, ruleHistory }) };
  await putRow(db, 'cell_findings', { key: { tenant_id, asset_id }, columns });
}

/** A rule that is not suggested this time keeps its history, as long as there is room: it may be again. */
function continued(past: RuleHistory, found: { readonly metric_ms: number; readonly findings: CellFindings }): RuleHistory {
  const metric_time = toTime(found.metric_ms);
  const now = found.findings.rules.map(({ id, support, exceptions }) => {
    const earlier = (past[id] ?? []).filter((each) => each.metric_time !== metric_time);
    return [id, [{ metric_time, support, exceptions }, ...earlier].slice(0, HISTORY_MAX)] as const;
  });
  const suggested = new Set(now.map(([id]) => id));
  const dormant = Object.entries(past).filter(([id]) => !suggested.has(id));
  return Object.fromEntries([...now, ...dormant].slice(0, RULES_WITH_HISTORY_MAX));
}
