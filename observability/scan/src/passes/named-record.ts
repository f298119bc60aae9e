// SPDX-License-Identifier: Apache-2.0
/** The first record at fault, by a name that leads people to it. */
import { type Cell, type Engine, RECORD_NUMBER, type StatementLimit } from '../engine/engine.ts';
import type { Suspect } from '../expressions/suspects.ts';
import { maskPii } from '../pii/mask.ts';

/** What fits into one statement; suspects beyond that are not looked at. */
const SQL_LENGTH_MAX = 60_000;
const SHOWN_CHARACTERS = 100;

export type RecordScope = {
  readonly engine: Engine;
  readonly idAttributes: readonly string[];
  /** Whether values of records may be shown. */
  readonly keepsSamples: boolean;
  readonly limit: StatementLimit;
};

/** The place among the suspects of the first one that holds, as SQL; `found` says what of it is wanted instead. */
export function firstThatHolds(suspects: readonly Suspect[], found = (_suspect: Suspect, index: number) => String(index)): string {
  const branches: string[] = [];
  let length = 0;
  for (const [index, suspect] of suspects.entries()) {
    length += suspect.sql.length;
    if (length > SQL_LENGTH_MAX) break;
    branches.push(`WHEN ${suspect.sql} THEN ${found(suspect, index)}`);
  }
  return branches.length === 0 ? 'NULL' : `CASE ${branches.join(' ')} END`;
}

/** Such as `in record 3, its divisor quantity is 0`; undefined where no row is at fault. */
export async function firstAtFault(scope: RecordScope, suspects: readonly Suspect[]): Promise<string | undefined> {
  if (suspects.length === 0) return undefined;
  const { engine, idAttributes, keepsSamples, limit } = scope;
  const { dialect, numberedRelation } = engine;
  const ids = keepsSamples ? engine.columns.filter(({ name }) => idAttributes.includes(name)) : [];
  const idTexts = ids.map((column) => dialect.text(dialect.identifier(column.name), column));
  const text = firstThatHolds(suspects, (suspect) =>
    suspect.text === undefined || !keepsSamples ? 'NULL' : `left(${suspect.text.sql}, ${SHOWN_CHARACTERS})`,
  );
  const columns = [
    `${firstThatHolds(suspects)} AS suspect`,
    `${text} AS shown`,
    `${numberedRelation === undefined ? 'NULL' : dialect.identifier(RECORD_NUMBER)} AS place`,
    ...idTexts.map((id, index) => `${id} AS id_${index}`),
  ];
  const order = numberedRelation === undefined ? idTexts.map((_, index) => dialect.byteOrder(`id_${index}`)) : ['place'];
  const [row] = await engine.query(
    `SELECT * FROM (SELECT ${columns.join(', ')} FROM ${numberedRelation ?? engine.relation}) AS suspected WHERE suspect IS NOT NULL` +
      `${order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`} LIMIT 1`,
    limit,
  );
  if (row === undefined) return undefined;
  const [index, shown, place, ...id] = row;
  const suspect = suspects[Number(index)];
  return suspect === undefined ? undefined : `in ${recordOf(place, id)}, ${saidOf(suspect, shown)}`;
}

function recordOf(place: Cell | undefined, id: readonly Cell[]): string {
  const named = id.map((part) => maskPii(String(part ?? ''))).join(', ');
  if (place === null || place === undefined) return id.length === 0 ? 'a record' : `the record with the id ${named}`;
  return `record ${place}${id.length === 0 ? '' : ` (id ${named})`}`;
}

function saidOf({ says, text }: Suspect, shown: Cell | undefined): string {
  if (text === undefined) return says;
  return typeof shown === 'string' ? `${says} is ${JSON.stringify(maskPii(shown))}, which is ${text.not}` : `${says} is ${text.not}`;
}
