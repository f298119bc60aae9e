/** Measures one asset that an engine holds: the passes in order, and what they found as a result. */
import type { Engine } from './engine/engine.ts';
import { measureCharacters } from './passes/characters.ts';
import { columnStatistics } from './passes/column-statistics.ts';
import { countFrequencies, type Frequencies } from './passes/frequencies.ts';
import { freshness, hoursSince } from './passes/freshness.ts';
import { type AggregateGroup, runPass } from './passes/pass.ts';
import { measureQuantiles } from './passes/quantiles.ts';
import { containsPii } from './pii/pii-condition.ts';
import { type MeasuredColumn, measuredColumns } from './plan/columns.ts';
import { restrictionOf } from './plan/restriction.ts';
import { type SegmentDimension, segmentDimensions } from './plan/segments.ts';
import { PointCollector, percentage } from './points.ts';
import type { ScanLimits, ScanProgress, ScanRequest, ScanResult } from './scan.ts';
import { schemaChanges } from './schema-changes.ts';

const TOP_VALUES = 10;
const DISTRIBUTION_VALUES = 20;
/** Texts whose characters are looked at one by one; of longer tables a sample of about as many rows. */
const CHARACTER_ROWS = 200_000;
/** Of the memory limit, for the values that exact quantiles hold. A value takes 8 bytes, and twice that while its list grows. */
const QUANTILE_SHARE = 0.25;
const VALUE_BYTES = 16;
/** Statements besides those of single columns. */
const STEPS = 4;

/** One scan under way. */
type Measurement = {
  readonly engine: Engine;
  readonly request: ScanRequest;
  readonly columns: readonly MeasuredColumn[];
  readonly dimensions: readonly SegmentDimension[];
  readonly points: PointCollector;
};

export type MeasureOptions = {
  readonly limits: Pick<ScanLimits, 'memoryBytes'>;
  readonly onProgress: (progress: ScanProgress) => void;
};

export async function measure(whole: Engine, request: ScanRequest, { limits, onProgress }: MeasureOptions): Promise<ScanResult> {
  const restriction = restrictionOf(whole.columns, request, whole.dialect);
  const engine = restriction === undefined ? whole : await whole.restrict(restriction);
  const columns = measuredColumns(engine.columns, request, engine.dialect);
  const dimensions = segmentDimensions(engine.columns, request.options, engine.dialect);
  const points = new PointCollector();
  const measurement = { engine, request, columns, dimensions, points };

  const { watermark } = await measureStatistics(measurement);
  const records = points.recordsOf(null);
  let step = 0;
  const advance = (): void => {
    step += 1;
    onProgress({ phase: 'measuring', rowsRead: records, fraction: Math.min(1, step / (columns.length + STEPS)) });
  };
  advance();
  const valuesHeld = Math.floor((limits.memoryBytes * QUANTILE_SHARE) / VALUE_BYTES);
  await measureQuantiles(engine, { columns, dimensions, records, valuesHeld }, points);
  advance();
  await measureValues(measurement, advance);
  await measureRecordIds(measurement);
  advance();
  await measureTexts(measurement);
  advance();

  const changes = request.previous === undefined ? [] : schemaChanges(request.previous.columns, engine.columns);
  points.add('SCHEMA', 'count', { attribute: null, segment: null, value: changes.length });
  addSourceFreshness(request, points);
  return {
    columns: engine.columns,
    recordsScanned: records,
    brokenRows: whole.broken.count,
    metrics: points.finish(dimensions.flatMap(({ names }) => names)),
    schemaChanges: changes,
    samples: whole.broken.samples.map((text) => ({
      monitor_id: null,
      reason: 'The row could not be read',
      record_id: null,
      row: { text },
    })),
    failures: [],
    memory: { columns: engine.columns, watermark: watermark ?? request.previous?.watermark ?? null },
  };
}

/** Counts, statistics and lengths of all columns, and the newest record, in one pass. */
async function measureStatistics({
  engine,
  request,
  columns,
  dimensions,
  points,
}: Measurement): Promise<{ readonly watermark: string | null }> {
  const { dialect } = engine;
  let watermark: string | null = null;
  const dated = engine.columns.find(({ name }) => name === request.options.timestamp_attribute);
  const records: AggregateGroup = {
    inner: [],
    aggregates: [{ sql: 'count(*)', receive: (value, segment) => points.records(segment, Number(value)) }],
  };
  const age =
    dated === undefined
      ? []
      : [
          freshness({
            column: dated,
            dialect,
            nowMs: request.nowMs,
            points,
            onWatermark: (newest) => {
              watermark = newest;
            },
          }),
        ];
  const groups = [records, ...age, ...columns.map((column, index) => columnStatistics(column, index, dialect, points))];
  await runPass(engine, { groups, dimensions });
  return { watermark };
}

/** Distinct and unique values, the most frequent ones. */
async function measureValues({ engine, columns, dimensions, points }: Measurement, onCounted: () => void): Promise<void> {
  const counted = columns.map((column) => ({
    value: engine.dialect.groupable(column.value, column),
    text: (value: string) => engine.dialect.text(value, column),
    receive: ({ distinct, unique, top }: Frequencies, segment: string | null): void => {
      const attribute = column.name;
      points.distinct(attribute, segment, { distinct, unique });
      top.forEach(({ value, count }, index) => {
        if (index < TOP_VALUES) points.add('TOP_VALUE', value, { attribute, segment, value: count });
        points.add('VALUE_DISTRIBUTION', value, { attribute, segment, value: percentage(count, points.presentOf(attribute, segment)) });
      });
    },
  }));
  await countFrequencies(engine, { counted, dimensions, records: points.recordsOf(null), topLimit: DISTRIBUTION_VALUES, onCounted });
}

/** Records whose id is theirs alone, of all records; nothing where the asset has no id. */
async function measureRecordIds({ engine, request, dimensions, points }: Measurement): Promise<void> {
  const { dialect } = engine;
  const ids = (request.options.id_attributes ?? []).flatMap((name) => engine.columns.filter((column) => column.name === name));
  const [first] = ids;
  if (first === undefined) return;
  const single = ids.length === 1;
  const texts = ids.map((column) => dialect.text(dialect.identifier(column.name), column));
  const value = single ? dialect.groupable(dialect.identifier(first.name), first) : dialect.tuple(texts);
  const counted = {
    value,
    text: (sql: string) => (single ? dialect.text(sql, first) : sql),
    receive: ({ distinct, unique }: Frequencies, segment: string | null): void => {
      const records = points.recordsOf(segment);
      points.add('UNIQUENESS', 'ratio', { attribute: null, segment, value: percentage(unique, records) });
      points.add('DUPLICATE_COUNT', 'count', { attribute: null, segment, value: records - distinct });
    },
  };
  await countFrequencies(engine, { counted: [counted], dimensions, records: points.recordsOf(null), topLimit: 1 });
}

async function measureTexts({ engine, columns, dimensions, points }: Measurement): Promise<void> {
  const records = points.recordsOf(null);
  const percent = records <= CHARACTER_ROWS ? undefined : (100 * CHARACTER_ROWS) / records;
  const relation = await engine.sample(percent, columns);
  const options = { columns, dimensions, relation, personalData: (text: string) => containsPii(engine.dialect, text) };
  await measureCharacters(engine, options, points);
}

function addSourceFreshness({ source, nowMs }: ScanRequest, points: PointCollector): void {
  const { modified_at: modifiedAt } = source.description;
  if (modifiedAt === null) return;
  points.add('FRESHNESS', 'min', { attribute: null, segment: null, value: hoursSince(Date.parse(modifiedAt), nowMs) });
}
