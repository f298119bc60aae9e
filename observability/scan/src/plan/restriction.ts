/** Which rows a scan reads: those that the filter lets through, newer than the last ones of a delta scan, a share of them, at most so many. */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';
import type { Restriction } from '../engine/engine.ts';
import type { ScanRequest } from '../scan.ts';
import { NULL_SEGMENT } from './segments.ts';

/** Undefined when all rows are read. */
export function restrictionOf(
  columns: readonly Column[],
  request: Pick<ScanRequest, 'options' | 'previous'>,
  dialect: Dialect,
): Restriction | undefined {
  const { filter = {}, sample_fraction: percent, limit } = request.options;
  const conditions = Object.entries(filter).flatMap(([attribute, values]) => {
    const column = columns.find(({ name }) => name === attribute);
    return column === undefined || values.length === 0 ? [] : [filterCondition(column, values, dialect)];
  });
  const newer = newerThanWatermark(columns, request, dialect);
  if (newer !== undefined) conditions.push(newer);
  const samplePercent = percent !== undefined && percent < 100 ? percent : undefined;
  if (conditions.length === 0 && samplePercent === undefined && limit === undefined) return undefined;
  return { where: conditions.length === 0 ? undefined : conditions.join(' AND '), samplePercent, limit };
}

function filterCondition(column: Column, values: readonly string[], dialect: Dialect): string {
  const text = dialect.text(dialect.identifier(column.name), column);
  const given = values.filter((value) => value !== NULL_SEGMENT);
  const parts = [
    ...(given.length === 0 ? [] : [`${text} IN (${given.map(dialect.literal).join(', ')})`]),
    ...(given.length === values.length ? [] : [`${text} IS NULL`]),
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
  return `${dialect.timestamp(dialect.identifier(column.name), column)} > CAST(${dialect.literal(watermark)} AS timestamp)`;
}
