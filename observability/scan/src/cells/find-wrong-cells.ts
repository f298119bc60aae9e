// SPDX-License-Identifier: Apache-2.0
/** Finds cells that look wrong, without rules and without labels: every detector proposes, and proposals that agree are believed. */
import type { CellDetector } from '@sextant/contracts-observability';
import type { CellTable } from './cell-table.ts';
import { type ColumnValues, readColumnValues } from './column-values.ts';
import { findDependencies } from './dependencies.ts';
import { chooseVoters, voteByDependencies } from './dependency-votes.ts';
import { outsideDictionary } from './dictionaries.ts';
import { emptyTogether } from './empty-rows.ts';
import { formatFaults } from './formats.ts';
import { initialFaults } from './initials.ts';
import { missingValues, RARE, withoutMissing } from './missing.ts';
import { numberFaults } from './numbers.ts';
import { findRelations, relationFaults } from './relations.ts';
import { nearSpellings } from './spellings.ts';
import { type SuggestedRule, suggestRules } from './suggested-rules.ts';
import type { ValueSuspicion, WrongCell } from './suspicion.ts';
import { Verdicts } from './verdicts.ts';
import { wordFaults } from './words.ts';
import { writtenUnits } from './written-units.ts';

export type WrongCells = {
  readonly cells: readonly WrongCell[];
  readonly rules: readonly SuggestedRule[];
};

/** Cells above this confidence are proposed. */
const PROPOSED = 0.5;
const CELLS_MAX = 200_000;
/** A detector that suspects more of a column than this has misread the column. */
const SHARE_MAX = 0.8;

/** @param verdicts what people said of former proposals */
export async function findWrongCells(table: CellTable, verdicts = new Verdicts()): Promise<WrongCells> {
  const columns = await readColumnValues(table);
  const together = await emptyTogether(table, columns, RARE);
  const suspicions = columns.map((column) => suspectedValues(column, together.has(column.index)));
  const dependencies = await findDependencies(table, columns);
  const voters = chooseVoters(dependencies);
  const suspects = new Map(suspicions.map((each, index) => [index, each.flatMap(({ value }) => (value === null ? [] : [value]))] as const));
  const votes = await voteByDependencies(table, columns, voters, suspects);
  const proposals = new Map<string, Proposal>();
  for (const { row, column, value, ...said } of votes.wrong) add(proposals, { row, column, value }, { detector: 'dependency', ...said });
  for (const column of columns) {
    const own = suspicions[column.index] ?? [];
    for (const { row, value } of await locate(table, column, own)) {
      if (votes.confirmed.has(`${row}:${column.index}`)) continue;
      for (const suspicion of own) {
        if (suspicion.value === value) add(proposals, { row, column: column.index, value }, suspicion);
      }
    }
  }
  const relations = await findRelations(table, columns);
  for (const { row, column, value, ...said } of await relationFaults(table, columns, relations, (row, column) =>
    proposals.has(`${row}:${column}`),
  )) {
    if (!votes.confirmed.has(`${row}:${column}`)) add(proposals, { row, column, value }, { detector: 'relation', ...said });
  }
  const cells = [...proposals.values()].flatMap((proposal) => {
    const cell = combine(proposal, columns, verdicts);
    return cell.score >= PROPOSED ? [cell] : [];
  });
  return { cells: cells.toSorted((a, b) => b.score - a.score), rules: await suggestRules(table, columns, { dependencies, relations }) };
}

function suspectedValues(column: ColumnValues, isEmptyTogether: boolean): readonly ValueSuspicion[] {
  const there = withoutMissing(column);
  const missing = missingValues(column).filter(({ value }) => value !== null || !isEmptyTogether);
  const found = [
    missing,
    ...[formatFaults, nearSpellings, wordFaults, initialFaults, outsideDictionary, numberFaults].map((detect) => detect(there)),
  ];
  // What is written in several ways throughout has no part that is right.
  return [...found.flatMap((each) => (sharedBy(each, column) > SHARE_MAX ? [] : each)), ...writtenUnits(there)];
}

function sharedBy(found: readonly ValueSuspicion[], { values, present, rows }: ColumnValues): number {
  const suspected = new Set(found.map(({ value }) => value));
  const count = values.reduce(
    (sum, { value, count }) => sum + (suspected.has(value) ? count : 0),
    suspected.has(null) ? rows - present : 0,
  );
  return count / Math.max(1, rows);
}

type Place = { readonly row: number; readonly column: number; readonly value: string | null };
type Said = { readonly detector: CellDetector; readonly score: number; readonly reason: string; readonly repair?: string | null };
type Proposal = Place & { readonly said: Said[] };

function add(proposals: Map<string, Proposal>, place: Place, said: Said): void {
  const key = `${place.row}:${place.column}`;
  const proposal = proposals.get(key) ?? { ...place, said: [] };
  proposal.said.push(said);
  proposals.set(key, proposal);
}

/** The rows in which suspected values stand. */
async function locate(
  table: CellTable,
  { index }: ColumnValues,
  suspicions: readonly ValueSuspicion[],
): Promise<readonly { readonly row: number; readonly value: string | null }[]> {
  if (suspicions.length === 0) return [];
  const texts = [...new Set(suspicions.flatMap(({ value }) => (value === null ? [] : [`'${value.replaceAll("'", "''")}'`])))];
  const conditions = [
    ...(texts.length > 0 ? [`c${index} IN (${texts.join(', ')})`] : []),
    ...(suspicions.some(({ value }) => value === null) ? [`c${index} IS NULL`] : []),
  ];
  const rows = await table.query(`SELECT row_id, c${index} FROM ${table.relation} WHERE ${conditions.join(' OR ')} LIMIT ${CELLS_MAX}`);
  return rows.map(([row, value]) => ({ row: Number(row), value: value === null || value === undefined ? null : String(value) }));
}

/** Detectors of different kinds err for different reasons, so their doubts multiply; of one kind the surest counts. A person is surer than all of them. */
function combine({ row, column, value, said }: Proposal, columns: readonly ColumnValues[], verdicts: Verdicts): WrongCell {
  const name = columns[column]?.name ?? '';
  const scored = said.map((each) => ({ ...each, score: verdicts.scoreOf(name, each.detector, each.score) }));
  const surest = [...Map.groupBy(scored, ({ detector }) => detector).values()].map((each) => each.toSorted((a, b) => b.score - a.score)[0]);
  const ordered = surest.flatMap((each) => (each === undefined ? [] : [each])).sort((a, b) => b.score - a.score);
  const repair = ordered.find((each) => each.repair !== undefined && each.repair !== null)?.repair ?? null;
  const detectors = ordered.map(({ detector }) => detector);
  const verdict = verdicts.of(name, value, detectors);
  const doubt = ordered.reduce((product, { score }) => product * (1 - score), 1);
  return {
    row,
    column,
    name,
    value,
    score: verdict === undefined ? 1 - doubt : verdict.isWrong ? 1 : 0,
    reason: ordered.map(({ reason }) => reason).join('; '),
    detectors,
    repair,
  };
}
