// SPDX-License-Identifier: Apache-2.0
/** Measures one asset that an engine holds: the passes in order, and what they found as a result. */
import type { RowSample, VolumeSegment } from '@sextant/contracts-observability';
import type { Column } from '@sextant/observability-connectors';
import type { RuleCheck } from './checks.ts';
import { percentage, type ValueCounts } from './column-counts.ts';
import type { Engine } from './engine/engine.ts';
import { changedFiles, fileRows } from './file-rows.ts';
import { measureCharacters } from './passes/characters.ts';
import { columnStatistics } from './passes/column-statistics.ts';
import { measureCustomMetrics } from './passes/custom-metrics.ts';
import { explainFailures, SEGMENT_VALUES_MAX } from './passes/failing-segments.ts';
import { countFrequencies, type Frequencies, isWhole } from './passes/frequencies.ts';
import { freshness, hoursSince } from './passes/freshness.ts';
import { explainMetrics } from './passes/metric-faults.ts';
import { momentGroups } from './passes/moments.ts';
import { NumberRanges } from './passes/number-ranges.ts';
import { type AggregateGroup, runPass } from './passes/pass.ts';
import { measureQuantiles } from './passes/quantiles.ts';
import { explainRefusals } from './passes/refused-checks.ts';
import { measureRules, type RuleResults } from './passes/rules.ts';
import { measureCube } from './passes/segment-cube.ts';
import { PROFILE_VALUES_MAX, profileSegments } from './passes/segment-profile.ts';
import { searchWrongCells } from './passes/wrong-cells.ts';
import { maskPii } from './pii/mask.ts';
import { containsPii, kindsAmong } from './pii/pii-condition.ts';
import { type MeasuredColumn, measuredColumns } from './plan/columns.ts';
import { type Checks, compileChecks } from './plan/compile-checks.ts';
import { orOmitted } from './plan/failure.ts';
import { keepsSamples, requireRestrictionColumns, segmentFailures } from './plan/option-columns.ts';
import { restrictionOf } from './plan/restriction.ts';
import { hashedColumns, hashOfRow, isSampled } from './plan/sampling.ts';
import { type SegmentDimension, segmentDimensions } from './plan/segments.ts';
import { shownText } from './plan/shown-value.ts';
import { PointCollector } from './points.ts';
import type { ScanProgress, ScanRequest, ScanResult, SegmentMove, SegmentProfile } from './scan.ts';
import { schemaChanges } from './schema-changes.ts';
import { segmentMoves } from './segment-moves.ts';

const TOP_VALUES = 10;
const DISTRIBUTION_VALUES = 20;
/** Distinct texts whose characters are looked at one by one, of all columns together; where there are more, as many rows as give so many, but not fewer than */
const CHARACTER_VALUES = 500_000;
/** which keep the error of a share below one percent (95 %). */
const CHARACTER_ROWS = 10_000;
/** Columns by whose values rows are sampled where the asset has no id: those with the most values. */
const SAMPLED_BY = 3;
/** Longest time of a statement that a tenant wrote, and of each rule and metric, where its asset does not say another. */
const STATEMENT_TIMEOUT_SECONDS = 60;
/** Statements besides those of single columns. */
const STEPS = 4;

/** The pre-built monitors that watch what a file loses. */
const OF_REJECTED = 'REJECTED_ROWS_VIOLATION';
const OF_MISMATCHES = 'TYPE_MISMATCH_VIOLATION';

/** A light scan measures the schema, counts and freshness alone. */
const NO_CHECKS: Checks = { rules: [], metrics: [], failures: [] };

/** One scan under way. */
type Measurement = {
  readonly engine: Engine;
  readonly request: ScanRequest;
  readonly columns: readonly MeasuredColumn[];
  readonly dimensions: readonly SegmentDimension[];
  readonly points: PointCollector;
  readonly ranges: NumberRanges;
  readonly characterValues: number;
};

export async function measure(
  whole: Engine,
  request: ScanRequest,
  onProgress: (progress: ScanProgress) => void,
  { characterValues = CHARACTER_VALUES }: { readonly characterValues?: number } = {},
): Promise<ScanResult> {
  requireRestrictionColumns(whole.columns, request);
  const restriction = restrictionOf(whole.columns, request, whole.dialect);
  const engine = restriction === undefined ? whole : await whole.restrict(restriction);
  const columns = measuredColumns(engine.columns, request, engine.dialect);
  const dimensions = segmentDimensions(engine.columns, request.options, engine.dialect);
  const points = new PointCollector();
  const context = { dialect: engine.dialect, columns: engine.columns, relation: engine.relation, nowMs: request.nowMs };
  const isLight = request.options.only_light_scan === 'true';
  const checks = isLight ? NO_CHECKS : compileChecks(request.monitors, context);
  const measurement = { engine, request, columns: isLight ? [] : columns, dimensions, points, ranges: new NumberRanges(), characterValues };

  const { watermark, rules } = await measureStatistics(measurement, checks.rules);
  const records = points.recordsOf(null);
  let step = 0;
  const advance = (): void => {
    step += 1;
    onProgress({ phase: 'measuring', rowsRead: records, fraction: Math.min(1, step / (columns.length + STEPS)) });
  };
  advance();
  if (!isLight) await measureDeeply(measurement, advance);
  const cells = isLight || request.options.find_wrong_cells !== 'true' ? undefined : await findCells(measurement);
  const changes =
    request.previous === undefined ? [] : schemaChanges(request.previous.columns, engine.columns, request.options.reading?.types);
  points.add('SCHEMA', 'count', { attribute: null, segment: null, value: changes.length });
  addSourceFreshness(request, points);
  const mismatches = whole.loaded.mismatches.filter(({ column }) => columns.some(({ name }) => name === column));
  addLeftOut({ ...whole.loaded, mismatches }, points);
  const asked = {
    engine,
    idAttributes: request.options.id_attributes ?? [],
    keepsSamples: keepsSamples(request.options),
    context,
    limit: { timeoutMs: statementTimeoutMs(request), subject: 'The metric' },
  };
  const refused = await explainRefusals(asked, { ...request, failures: checks.failures });
  const unmeasured = await measureCustomMetrics(engine, checks.metrics, { points, timeoutMs: statementTimeoutMs(request) });
  const omissions = [...rules.omissions];
  const { segments, moves } = await profileOf(measurement, isLight, omissions);
  const ruleCounts = await explainFailures(
    { engine, columns: segmentColumns(measurement), rules: checks.rules, timeoutMs: statementTimeoutMs(request), omissions },
    rules.counts,
  );
  const { unexplained } = ruleCounts.find((count) => count.unexplained !== undefined) ?? {};
  if (unexplained !== undefined) omissions.push(`What failing rows have in common could not be computed: ${unexplained}`);
  // Of rows that were chosen among all, nobody knows the file.
  const files = restriction === undefined ? fileRows(request.source, whole.loaded) : undefined;
  const metrics = points.finish(dimensions.flatMap(({ names }) => names));
  const faults = await explainMetrics(asked, { monitors: request.monitors, points: metrics, failures: unmeasured });
  return {
    columns: engine.columns,
    recordsScanned: records,
    rejectedRows: whole.loaded.rejected.count,
    metrics,
    schemaChanges: changes,
    samples: keepsSamples(request.options) ? [...rejectedSamples(whole), ...mismatchSamples(mismatches), ...rules.samples] : [],
    failures: [
      ...segmentFailures(engine.columns, request.options),
      ...refused,
      ...rules.failures,
      ...(cells?.failures ?? []),
      ...faults.failures,
    ],
    valueless: faults.valueless,
    omissions,
    ruleCounts,
    segmentMoves: maskedMoves(moves),
    fileChanges: changedFiles(request.previous?.files, files),
    ...(cells?.findings === undefined ? {} : { cells: cells.findings }),
    memory: {
      columns: engine.columns,
      watermark: watermark ?? request.previous?.watermark ?? null,
      ...(segments === undefined ? {} : { segments }),
      ...(files === undefined ? {} : { files }),
    },
  };
}

/** What takes a look at each value by itself. */
async function measureDeeply(measurement: Measurement, advance: () => void): Promise<void> {
  await measureNumbers(measurement);
  advance();
  await measureValues(measurement, advance);
  await measureRecordIds(measurement);
  advance();
  await measureTexts(measurement);
  advance();
}

function findCells({ engine, request, columns, points }: Measurement): ReturnType<typeof searchWrongCells> {
  const { id_attributes: idAttributes = [] } = request.options;
  return searchWrongCells(engine, { columns, idAttributes, verdicts: request.cellVerdicts ?? [] }, points);
}

/** Mean, deviation and quantiles, by what the pass before has found of the numbers. */
async function measureNumbers({ engine, columns, dimensions, points, ranges }: Measurement): Promise<void> {
  const moments = { columns, dialect: engine.dialect, ranges, points };
  await measureQuantiles(engine, { columns, dimensions, ranges, beside: momentGroups(moments) }, points);
  for (const dimension of dimensions)
    await runPass(engine, { groups: momentGroups(moments, dimension), dimensions: [dimension], withoutWhole: true });
}

/** Columns whose values may name kinds of rows. */
function segmentColumns({ engine, request, points }: Measurement): readonly Column[] {
  const counts = points.countsOf(null);
  const ids = new Set(request.options.id_attributes);
  return engine.columns.filter(({ name }) => {
    // Columns are not measured before the first scan has found them.
    const distinct = counts.distinctOf(name);
    return !ids.has(name) && (distinct === null || (distinct > 1 && distinct <= SEGMENT_VALUES_MAX));
  });
}

type Profiled = { readonly segments: SegmentProfile | undefined; readonly moves: readonly SegmentMove[] };

/** What is kept for the next scan, and what moved since the one before; a profile that was not made leaves that of before. */
async function profileOf(measurement: Measurement, isLight: boolean, omissions: string[]): Promise<Profiled> {
  const before = measurement.request.previous?.segments;
  if (isLight) return { segments: before, moves: [] };
  const made = await orOmitted('Which rows made a change could not be computed', omissions, async () => ({
    segments: await newProfile(measurement),
  }));
  if (made === undefined) return { segments: before, moves: [] };
  const { segments } = made;
  return { segments, moves: before === undefined || segments === undefined ? [] : segmentMoves(before, segments) };
}

async function newProfile(measurement: Measurement): Promise<SegmentProfile | undefined> {
  const { engine, request, columns: measured, points, ranges } = measurement;
  const counts = points.countsOf(null);
  const { groups = [], cube: cubeBefore } = request.previous?.segments ?? {};
  const usedBefore = new Set([...groups, ...(cubeBefore?.axes ?? [])].map(({ attribute }) => attribute));
  const rankOf = ({ name }: Column) => (Object.hasOwn(request.options.segments ?? {}, name) ? 0 : usedBefore.has(name) ? 1 : 2);
  const grouped = segmentColumns(measurement)
    // Before the first scan has found them, nobody knows how many values they have.
    .filter(({ name }) => (counts.distinctOf(name) ?? Number.POSITIVE_INFINITY) <= PROFILE_VALUES_MAX)
    .toSorted((one, other) => rankOf(one) - rankOf(other) || (counts.distinctOf(one.name) ?? 0) - (counts.distinctOf(other.name) ?? 0));
  const scope = { engine, grouped, measured, whole: { ranges, counts, records: points.recordsOf(null) } };
  const cube = await measureCube({ ...scope, before: cubeBefore });
  const profile = await profileSegments({ ...scope, cube });
  return profile === undefined || cube === undefined ? profile : { ...profile, cube };
}

function maskedMoves(moves: readonly SegmentMove[]): readonly SegmentMove[] {
  return moves.map((move) =>
    move.measure === 'VOLUME'
      ? { ...move, segments: move.segments.map(maskedSegment) }
      : { ...move, segments: move.segments.map(maskedSegment) },
  );
}

function maskedSegment<Segment extends Pick<VolumeSegment, 'value' | 'also'>>(segment: Segment): Segment {
  const masked = (value: string | null): string | null => (value === null ? null : maskPii(value));
  const { value, also } = segment;
  return { ...segment, value: masked(value), ...(also && { also: also.map((one) => ({ ...one, value: masked(one.value) })) }) };
}

/** Counts, statistics and lengths of all columns, the newest record and all rules, in one pass. */
async function measureStatistics(
  { engine, request, columns, dimensions, points, ranges }: Measurement,
  rules: readonly RuleCheck[],
): Promise<{ readonly watermark: string | null; readonly rules: RuleResults }> {
  const { dialect } = engine;
  let watermark: string | null = null;
  const onWatermark = (newest: string): void => {
    watermark = newest;
  };
  const dated = engine.columns.filter(({ name }) => name === request.options.timestamp_attribute);
  const records: AggregateGroup = {
    inner: [],
    aggregates: [{ sql: 'count(*)', receive: (value, segment) => points.setRecords(segment, Number(value)) }],
  };
  const statistics = [
    records,
    ...dated.map((column) => freshness({ column, dialect, nowMs: request.nowMs, points, onWatermark })),
    ...columns.map((column, index) => columnStatistics(column, index, { dialect, points, ranges })),
  ];
  const results = await measureRules(
    {
      engine,
      dimensions,
      points,
      idAttributes: request.options.id_attributes ?? [],
      keepsSamples: keepsSamples(request.options),
      seed: request.seed,
      timeoutMs: statementTimeoutMs(request),
    },
    { rules, beside: statistics },
  );
  return { watermark, rules: results };
}

/** Distinct and unique values, the most frequent ones. */
async function measureValues({ engine, columns, dimensions, points }: Measurement, onCounted: () => void): Promise<void> {
  const counted = columns.map((column) => ({
    value: engine.dialect.groupable(column.value, column),
    text: (value: string) => engine.dialect.text(value, column),
    isFloating: engine.dialect.isFloating(column),
    shown: shownText(column, engine.dialect),
    receive: ({ distinct, unique, top }: Frequencies, segment: string | null): void => {
      const attribute = column.name;
      const counts = points.countsOf(segment);
      counts.setDistinct(attribute, { distinct, unique });
      counts.setFrequent(
        attribute,
        top.map(({ value }) => value),
      );
      top.forEach(({ value, count }, index) => {
        if (index < TOP_VALUES) points.add('TOP_VALUE', value, { attribute, segment, value: count });
        points.add('VALUE_DISTRIBUTION', value, { attribute, segment, value: percentage(count, counts.presentOf(attribute)) });
      });
    },
  }));
  await countFrequencies(engine, { counted, dimensions, records: points.recordsOf(null), topLimit: DISTRIBUTION_VALUES, onCounted });
}

/** Records whose id is theirs alone, of all records; nothing where the asset has no id. */
async function measureRecordIds({ engine, request, columns, dimensions, points }: Measurement): Promise<void> {
  const { dialect } = engine;
  const ids = idColumns(engine, request);
  const [first] = ids;
  if (first === undefined) return;
  const receive = ({ distinct, unique }: ValueCounts, segment: string | null): void => {
    const records = points.recordsOf(segment);
    points.add('UNIQUENESS', 'ratio', { attribute: null, segment, value: percentage(unique, records) });
    points.add('DUPLICATE_COUNT', 'count', { attribute: null, segment, value: records - distinct });
  };
  const single = ids.length === 1;
  if (single && columns.some(({ name }) => name === first.name)) {
    // Its values have been counted as those of any column.
    for (const segment of [null, ...dimensions.flatMap(({ names }) => names)]) {
      const counts = points.countsOf(segment).valuesOf(first.name);
      if (counts !== null) receive(counts, segment);
    }
    return;
  }
  const texts = ids.map((column) => dialect.text(dialect.identifier(column.name), column));
  const value = single ? dialect.groupable(dialect.identifier(first.name), first) : dialect.tuple(texts);
  const counted = {
    value,
    text: (sql: string) => (single ? dialect.text(sql, first) : sql),
    isFloating: single && dialect.isFloating(first),
    receive,
  };
  await countFrequencies(engine, { counted: [counted], dimensions, records: points.recordsOf(null), topLimit: 1 });
}

/** None where one of them has gone: part of an id is another id. */
function idColumns({ columns }: Engine, { options }: ScanRequest): readonly Column[] {
  const names = options.id_attributes ?? [];
  const ids = names.flatMap((name) => columns.filter((column) => column.name === name));
  return ids.length === names.length ? ids : [];
}

async function measureTexts(measurement: Measurement): Promise<void> {
  const { engine, columns, dimensions, points } = measurement;
  const relation = await textRelation(measurement);
  const personalData = (text: string, { name }: Column): string => {
    const values = points.countsOf(null).allValuesOf(name);
    return containsPii(engine.dialect, text, values?.every(isWhole) === true ? kindsAmong(values) : undefined);
  };
  const options = { columns, dimensions, relation, personalData };
  await measureCharacters(engine, options, points);
}

/** All rows where they have few different texts, else a sample of them. */
async function textRelation({ engine, request, columns, points, characterValues }: Measurement): Promise<string> {
  const { dialect } = engine;
  const records = points.recordsOf(null);
  const texts = columns.filter(({ kind }) => kind === 'text');
  const distinctOf = ({ name }: Column): number => points.countsOf(null).distinctOf(name) ?? 0;
  const rows = Math.max(CHARACTER_ROWS, Math.floor(characterValues / Math.max(1, texts.length)));
  const distinct = texts.reduce((sum, column) => sum + distinctOf(column), 0);
  if (records <= rows || distinct <= characterValues) return engine.relation;
  const ids = idColumns(engine, request);
  const most = hashedColumns(columns, dialect).toSorted((one, other) => distinctOf(other) - distinctOf(one));
  const by = ids.length > 0 ? hashedColumns(ids, dialect) : most.slice(0, SAMPLED_BY);
  const hash = hashOfRow({ columns: by, dialect, seed: request.seed });
  const segmented = engine.columns.filter(({ name }) => name in (request.options.segments ?? {}));
  const read = new Set([...texts.map(({ name }) => name), ...segmented.map(({ name }) => name)]);
  return await engine.select(
    isSampled(hash, (100 * rows) / records, dialect),
    engine.columns.filter(({ name }) => read.has(name)),
  );
}

function statementTimeoutMs({ options }: ScanRequest): number {
  return (options.statement_timeout_seconds ?? STATEMENT_TIMEOUT_SECONDS) * 1000;
}

function addSourceFreshness({ source, nowMs }: ScanRequest, points: PointCollector): void {
  const { modified_at: modifiedAt } = source.description;
  if (modifiedAt === null) return;
  points.add('FRESHNESS', 'min', { attribute: null, segment: null, value: hoursSince(Date.parse(modifiedAt), nowMs) });
}

function addLeftOut({ rows, rejected, mismatches }: Engine['loaded'], points: PointCollector): void {
  const place = { attribute: null, segment: null };
  points.add('REJECTED_ROWS', 'count', { ...place, value: rejected.count });
  points.add('REJECTED_ROWS', 'ratio', { ...place, value: percentage(rejected.count, rows + rejected.count) ?? 0 });
  for (const { column: attribute, count } of mismatches) {
    points.add('TYPE_MISMATCH', 'count', { attribute, segment: null, value: count });
    points.add('TYPE_MISMATCH', 'ratio', { attribute, segment: null, value: percentage(count, rows) ?? 0 });
  }
}

function mismatchSamples(mismatches: Engine['loaded']['mismatches']): readonly RowSample[] {
  return mismatches.flatMap(({ column, type, samples }) =>
    samples.map((text) => ({
      monitor_id: OF_MISMATCHES,
      reason: `The value does not fit the type of its column, ${type}`,
      record_id: null,
      row: { [column]: maskPii(text) },
    })),
  );
}

function rejectedSamples({ loaded }: Engine): readonly RowSample[] {
  return loaded.rejected.samples.map((text) => ({
    monitor_id: OF_REJECTED,
    reason: 'The row could not be read',
    record_id: null,
    row: { text: maskPii(text) },
  }));
}
