// SPDX-License-Identifier: Apache-2.0
/**
 * Which rows a scan reads: those that the filter lets through, newer than the last ones of a delta scan, a share of them, at most so many. Which these
 * are does not depend on the order in which rows are read.
 */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';
import type { Restriction } from '../engine/engine.ts';
import type { ScanRequest } from '../scan.ts';
import { hashedColumns, hashOfRow, isSampled, orderOfRows } from './sampling.ts';
import { NULL_SEGMENT } from './segments.ts';
import { hasValue } from './shown-value.ts';

/** Undefined when all rows are read. */
export function restrictionOf(
  columns: readonly Column[],
  request: Pick<ScanRequest, 'options' | 'previous' | 'seed'>,
  dialect: Dialect,
): Restriction | undefined {
  const { seed } = request;
  const { filter = {}, sample_fraction: percent, limit } = request.options;
  const conditions = Object.entries(filter).flatMap(([attribute, values]) => {
    const column = columns.find(({ name }) => name === attribute);
    return column === undefined || values.length === 0 ? [] : [filterCondition(column, values, dialect)];
  });
  const newer = newerThanWatermark(columns, request, dialect);
  if (newer !== undefined) conditions.push(newer);
  if (percent !== undefined && percent < 100)
    conditions.push(isSampled(hashOfRow({ columns: keyColumns(columns, request, dialect), dialect, seed }), percent, dialect));
  if (conditions.length === 0 && limit === undefined) return undefined;
  return {
    where: conditions.length === 0 ? undefined : conditions.join(' AND '),
    first: limit === undefined ? undefined : { rows: limit, order: orderOfRows({ columns, dialect, seed }) },
  };
}

/** The id tells rows apart; without one all their values do. */
function keyColumns(columns: readonly Column[], { options }: Pick<ScanRequest, 'options'>, dialect: Dialect): readonly Column[] {
  const names = new Set(options.id_attributes);
  const ids = columns.filter(({ name }) => names.has(name));
  return hashedColumns(ids.length > 0 && ids.length === names.size ? ids : columns, dialect);
}

function filterCondition(column: Column, values: readonly string[], dialect: Dialect): string {
  const given = values.filter((value) => value !== NULL_SEGMENT);
  const parts = [
    ...(given.length === 0 ? [] : [hasValue(column, given, dialect)]),
    ...(given.length === values.length ? [] : [`${dialect.identifier(column.name)} IS NULL`]),
  ];
  return `(${parts.join(' OR ')})`;
}

function newerThanWatermark(
  columns: readonly Column[],
  { options, previous }: Pick<ScanRequest, 'options' | 'previous'>,
  dialect: Dialect,
): string | undefined {
  const column = columns.find(({ name }) => name === options.timestamp_attribute);
  const watermark = previous?.watermark ?? null;
  if (options.delta_only !== 'true' || column === undefined || watermark === null) return undefined;
  return `${dialect.timestamp(dialect.identifier(column.name), column)} > ${dialect.timestampLiteral(watermark)}`;
}
