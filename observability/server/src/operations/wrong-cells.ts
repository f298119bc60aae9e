// SPDX-License-Identifier: Apache-2.0
/** What scans propose: cells that look wrong, what people say of them, and rules that could be monitors. */
import type { FoundCell, Monitor, WrongCell } from '@sextant/contracts-observability';
import { MetadataMissing, type StoredFindings, type TenantMetadata } from '@sextant/observability-metadata';
import { audited } from './audited.ts';
import { createMonitorOf } from './monitors.ts';
import { operation } from './operation.ts';
import { optionalNumber } from './parameters.ts';

const NEVER_SEARCHED = { job_id: null, metric_time: null } as const;
const NAME_MAX = 255;

export const listWrongCells = operation('list_wrong_cells', async ({ tenant }, { params, query }) => {
  const found = await tenant.wrongCells.findings(params.asset_id);
  if (found === undefined) return { ...NEVER_SEARCHED, rows_checked: null, cells_found: null, cells: [] };
  const { rowsChecked, cellsFound, cells } = found.findings;
  const { attribute, limit, offset } = query;
  const wanted = attribute === undefined ? cells : cells.filter((cell) => cell.attribute === attribute);
  const first = optionalNumber(offset) ?? 0;
  const page = wanted.slice(first, first + (optionalNumber(limit) ?? cells.length));
  const answer = await answered(tenant, params.asset_id);
  return { ...searched(found), rows_checked: rowsChecked, cells_found: cellsFound, cells: page.map(answer) };
});

export const putCellVerdict = operation('put_cell_verdict', async (context, { params, body }) => {
  const { tenant, member } = context;
  const { asset_id: assetId, cell_id: cellId } = params;
  const found = await tenant.wrongCells.findings(assetId);
  const cell = found?.findings.cells.find(({ id }) => id === cellId);
  if (cell === undefined) throw new MetadataMissing('proposed cell', cellId);
  const { attribute, valueKey, detectors } = cell;
  const { verdict } = body;
  await audited(
    context,
    (own) =>
      verdict === null
        ? own.wrongCells.takeBack(assetId, { attribute, valueKey })
        : own.wrongCells.say(assetId, { attribute, valueKey, detectors, isWrong: verdict === 'WRONG' }, member.name),
    () => ({ action: 'UPDATED', subject_type: 'ASSET', subject_id: assetId, details: { attribute, cell_verdict: verdict } }),
  );
  return (await answered(tenant, assetId))(cell);
});

export const listSuggestedRules = operation('list_suggested_rules', async ({ tenant }, { params }) => {
  const found = await tenant.wrongCells.findings(params.asset_id);
  if (found === undefined) return { ...NEVER_SEARCHED, rules: [] };
  const monitors = await tenant.monitors.list(params.asset_id);
  const rules = found.findings.rules.map((rule) => ({
    ...rule,
    history: [...(found.ruleHistory[rule.id] ?? [])],
    monitor_id: monitorWith(monitors, rule.expression)?.id ?? null,
  }));
  return { ...searched(found), rules };
});

/** Where a monitor has the rule already, that one is the answer: to accept twice is to accept once. */
export const acceptSuggestedRule = operation('accept_suggested_rule', async (context, { params, body, signal }) => {
  const { tenant } = context;
  const found = await tenant.wrongCells.findings(params.asset_id);
  const rule = found?.findings.rules.find(({ id }) => id === params.rule_id);
  if (rule === undefined) throw new MetadataMissing('suggested rule', params.rule_id);
  const { expression, description } = rule;
  const existing = monitorWith(await tenant.monitors.list(params.asset_id), expression);
  if (existing !== undefined) return existing;
  const name = body?.name ?? description.slice(0, NAME_MAX);
  return createMonitorOf(context, {
    assetId: params.asset_id,
    body: { type: 'RULE', name, enabled: true, monitor: { expression } },
    signal,
  });
});

function searched({ job_id, metric_time }: StoredFindings) {
  return { job_id, metric_time };
}

function monitorWith(monitors: readonly Monitor[], wanted: string): Monitor | undefined {
  return monitors.find(({ type, monitor }) => type === 'RULE' && 'expression' in monitor && monitor.expression === wanted);
}

/** A cell as it is answered, with what was said of its value; the key of the value stays here. */
async function answered(tenant: TenantMetadata, assetId: string): Promise<(cell: FoundCell) => WrongCell> {
  const verdicts = new Map((await tenant.wrongCells.verdicts(assetId)).map((each) => [keyOf(each), each.isWrong]));
  return ({ valueKey, ...cell }) => {
    const isWrong = verdicts.get(keyOf({ attribute: cell.attribute, valueKey }));
    return { ...cell, verdict: isWrong === undefined ? null : isWrong ? 'WRONG' : 'RIGHT' };
  };
}

function keyOf({ attribute, valueKey }: Pick<FoundCell, 'attribute' | 'valueKey'>): string {
  return JSON.stringify([attribute, valueKey]);
}
