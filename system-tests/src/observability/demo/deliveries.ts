// SPDX-License-Identifier: Apache-2.0
/**
 * Deliveries of a table as the days bring them: most of its rows, some that differ, and dates that end on the day of the delivery. All
 * chance comes from a seed, so that a delivery can be made again.
 */
import type { Random } from '@sextant/foundation-std';
import type { Cell, Row, Table } from './tables.ts';

/** Of the rows, so many are in a delivery, give or take. */
const KEPT_SHARE = 0.95;
/** Of the rows, so many are in a delivery with the numbers of another row. */
const NEW_SHARE = 0.01;
/** That row is one of so many before it: tables are often in an order, and what is near is alike. */
const NEAR_ROWS = 50;
const DAY_MS = 86_400_000;

export type DeliveryOptions = {
  readonly random: Random;
  readonly nowMs: number;
  /** The column that dates a row, as `2001/01/31 …` or `2001-01-31…`. */
  readonly dated?: string | undefined;
};

/** An undamaged delivery. */
export function delivery(table: Table, { random, nowMs, dated }: DeliveryOptions): Table {
  const rows: Row[] = [];
  table.rows.forEach((row, index) => {
    const chance = random.next();
    if (chance < KEPT_SHARE) rows.push(row);
    // A row that is left out otherwise: so its id stays its own.
    else if (chance < KEPT_SHARE + NEW_SHARE) rows.push(withNumbersOf(row, table.rows[index - 1 - random.integer(NEAR_ROWS)] ?? row));
  });
  const delivered = { columns: table.columns, rows };
  return dated === undefined ? delivered : shiftedByDays(delivered, dated, daysToReach(table, dated, nowMs));
}

/** The same table with each date so many days later. */
export function shiftedByDays({ columns, rows }: Table, dated: string, days: number): Table {
  return { columns, rows: rows.map((row) => ({ ...row, [dated]: laterDate(row[dated] ?? null, days) })) };
}

/** Whole days that bring the newest date of the table to the last 24 hours, its time of day unchanged. */
function daysToReach({ rows }: Table, dated: string, nowMs: number): number {
  const newestMs = rows.reduce((newest, row) => Math.max(newest, timeOf(row[dated] ?? null) ?? newest), Number.NEGATIVE_INFINITY);
  return Math.floor((nowMs - newestMs) / DAY_MS);
}

const DATE = /^(\d{4})([-/])(\d{2})\2(\d{2})(?:[ T](\d{2}):(\d{2}).*)?$/;

function timeOf(cell: Cell): number | undefined {
  const [, year, , month, day, hour = '0', minute = '0'] = DATE.exec(String(cell)) ?? [];
  if (year === undefined) return undefined;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
}

/** Separators and time of day stay as they are written. */
function laterDate(cell: Cell, days: number): Cell {
  const text = String(cell);
  const [, , separator] = DATE.exec(text) ?? [];
  const timeMs = timeOf(cell);
  if (separator === undefined || timeMs === undefined) return cell;
  const date = new Date(timeMs + days * DAY_MS).toISOString().slice(0, 10);
  return date.replaceAll('-', separator) + text.slice(date.length);
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

function withNumbersOf(row: Row, other: Row): Row {
  const numbers = Object.entries(other).filter(([, value]) => value !== null && NUMBER.test(String(value)));
  return { ...row, ...Object.fromEntries(numbers.filter(([column]) => NUMBER.test(String(row[column])))) };
}
