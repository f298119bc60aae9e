// SPDX-License-Identifier: Apache-2.0
/** Searches the rows of an asset for cells that look wrong and for rules that they follow, where the asset asks for it. */
import { createHash } from 'node:crypto';
import type { CellFindings, CellVerdict, FoundCell } from '@sextant/contracts-observability';
import { openCellTable } from '../cells/cell-table.ts';
import { findWrongCells } from '../cells/find-wrong-cells.ts';
import type { WrongCell } from '../cells/suspicion.ts';
import { Verdicts, valueKeyOf } from '../cells/verdicts.ts';
import { percentage } from '../column-counts.ts';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { type Engine, RECORD_NUMBER, ScanError } from '../engine/engine.ts';
import { maskPii } from '../pii/mask.ts';
import type { MeasuredColumn } from '../plan/columns.ts';
import { type Failure, failuresOf } from '../plan/failure.ts';
import type { PointCollector } from '../points.ts';

/** Cells and rules that are kept of a search. */
const CELLS_MAX = 500;
const RULES_MAX = 100;
const SHOWN_CHARACTERS = 256;
const MONITOR = 'WRONG_CELLS_DRIFTS';
const ROW = duckdbDialect.identifier(RECORD_NUMBER);

export type CellSearch = {
  readonly columns: readonly MeasuredColumn[];
  readonly idAttributes: readonly string[];
  readonly verdicts: readonly CellVerdict[];
};

/** A search that fails costs its findings and not the scan: the monitor of wrong cells is errored then. */
export async function searchWrongCells(
  engine: Engine,
  search: CellSearch,
  points: PointCollector,
): Promise<{ readonly findings: CellFindings | undefined; readonly failures: readonly Failure[] }> {
  let findings: CellFindings | undefined;
  const failures = await failuresOf(MONITOR, async () => {
    if (!engine.keepsTables) throw new ScanError('wrong cells are searched for in files, not in tables of a database');
    findings = await findInEngine(engine, search, points);
  });
  return { findings, failures };
}

async function findInEngine(
  engine: Engine,
  { columns, idAttributes, verdicts }: CellSearch,
  points: PointCollector,
): Promise<CellFindings> {
  // Structures have no single value that could be wrong.
  const searched = columns.filter(({ data_type: type }) => type !== 'OTHER');
  const rows = await numberedRows(engine);
  const table = await openCellTable({
    relation: rows,
    rowId: ROW,
    columns: searched.map(({ name, text, kind }) => ({ name, text, isNumber: kind === 'number' })),
    query: (sql) => engine.query(sql),
  });
  const { cells, rules } = await findWrongCells(table, new Verdicts(verdicts));
  const byColumn = Map.groupBy(cells, ({ column }) => column);
  for (const [index, { name: attribute }] of searched.entries()) {
    const value = percentage(byColumn.get(index)?.length ?? 0, table.rows);
    points.add('WRONG_CELLS', 'ratio', { attribute, segment: null, value });
  }
  const listed = cells.slice(0, CELLS_MAX);
  const ids = await recordIds(engine, { relation: rows, idAttributes, rows: listed.map(({ row }) => row) });
  return {
    rowsChecked: table.rows,
    cellsFound: cells.length,
    cells: listed.map((cell) =>
      shownCell(cell, { recordId: ids.get(cell.row) ?? null, isNumbered: engine.numberedRelation !== undefined }),
    ),
    rules: rules.slice(0, RULES_MAX).map((rule) => ({ ...rule, id: shortHash(rule.expression), description: maskPii(rule.description) })),
  };
}

/** The rows with a number that stays with each in all statements: that of its record in its file, where it is in one. */
async function numberedRows(engine: Engine): Promise<string> {
  if (engine.numberedRelation !== undefined) return engine.numberedRelation;
  await engine.query(`CREATE OR REPLACE TEMP TABLE numbered AS SELECT *, row_number() OVER () AS ${ROW} FROM ${engine.relation}`);
  return 'numbered';
}

type Ids = { readonly relation: string; readonly idAttributes: readonly string[]; readonly rows: readonly number[] };

async function recordIds(engine: Engine, { relation, idAttributes, rows }: Ids): Promise<ReadonlyMap<number, string>> {
  const { dialect, columns } = engine;
  const ids = idAttributes.flatMap((name) => columns.filter((column) => column.name === name));
  if (ids.length === 0 || rows.length === 0) return new Map();
  const texts = ids.map((column) => `coalesce(left(${dialect.text(dialect.identifier(column.name), column)}, ${SHOWN_CHARACTERS}), '')`);
  const found = await engine.query(
    `SELECT ${ROW}, concat_ws(', ', ${texts.join(', ')}) FROM ${relation} WHERE ${ROW} IN (${[...new Set(rows)].join(', ')})`,
  );
  return new Map(found.map(([row, id]) => [Number(row), maskPii(String(id))]));
}

type Named = { readonly recordId: string | null; readonly isNumbered: boolean };

function shownCell(
  { row, name: attribute, value, score, reason, detectors, repair }: WrongCell,
  { recordId, isNumbered }: Named,
): FoundCell {
  return {
    id: shortHash(JSON.stringify([attribute, row, value])),
    attribute,
    row_number: isNumbered ? row : null,
    record_id: recordId,
    value: shown(value),
    score,
    reason: maskPii(reason),
    detectors: [...detectors],
    repair: shown(repair),
    valueKey: valueKeyOf(attribute, value),
  };
}

function shown(value: string | null): string | null {
  return value === null ? null : maskPii(value.slice(0, SHOWN_CHARACTERS));
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
