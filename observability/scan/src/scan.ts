// SPDX-License-Identifier: Apache-2.0
/**
 * What a scan is asked and what it answers. A scan knows no tenant, no store and no job: it measures one opened source.
 */
import type {
  AssetOptions,
  Attribute,
  CellFindings,
  CellVerdict,
  FailingSegment,
  MetricPoint,
  Monitor,
  MovedSegment,
  RowSample,
  SchemaChange,
  VolumeSegment,
} from '@sextant/contracts-observability';
import type { Clock } from '@sextant/foundation-std';
import type { Column, InputNormInterval, OpenedSource } from '@sextant/observability-connectors';

/** Rows of one file, of an asset of several. */
export type FileRows = { readonly name: string; readonly rows: number };
/** Null where the file was not there. */
export type FileChange = { readonly name: string; readonly before: number | null; readonly after: number | null };

export type ScanRequest = {
  readonly source: OpenedSource;
  readonly options: AssetOptions;
  /** Attributes to measure; the others are only part of the schema. */
  readonly attributes: readonly Pick<Attribute, 'name' | 'data_type' | 'monitored'>[];
  /** METRIC and RULE monitors whose expressions are measured. */
  readonly monitors: readonly Pick<Monitor, 'id' | 'type' | 'name' | 'monitor'>[];
  /** What people said of cells that were proposed before. */
  readonly cellVerdicts?: readonly CellVerdict[];
  /** What the previous scan left behind; undefined on the first. */
  readonly previous?: ScanMemory;
  /** Time of the scan; freshness is measured against it. */
  readonly nowMs: number;
  /** Which rows stand for all where a sample does: the same ones for the same seed, on every engine. */
  readonly seed: string;
};

/** Centroids of the latest scans by vector name, oldest first. */
export type RecentCentroids = { readonly [vector: string]: readonly (readonly number[])[] };

/** What the vectors of one name were like when all was well; numbers are bytes in base64. */
export type StoredVectorReference = {
  readonly mean: string;
  readonly directions: string;
  readonly keys: string;
  readonly coordinates: string;
  readonly beside: string;
  readonly centers: string;
  readonly shares: readonly number[];
  readonly cuts: {
    readonly distance: number;
    readonly beside: number;
    readonly shortest: number;
    readonly longest: number;
    readonly distinct: number;
  };
  readonly nearDistance: number;
  /** `isSet` where a person named the member; else it was found. */
  readonly text: { readonly member: string; readonly cut: number; readonly isSet?: boolean } | null;
  readonly points: number;
  /** Which text each sampled point had when its vector was first seen; left out by releases that did not know it, and where no member is the text. */
  readonly texts?: { readonly member: string; readonly entries: string };
  /** Which points were nearly equal to another; left out by releases that did not know it, and where the reference was made again. */
  readonly near?: string;
  /**
   * The sampled vectors, as hashes of their points and of themselves, and their sum, of the latest scan at which they lay where they usually do: `scansHeld`
   * scans before the latest. Left out by releases that did not know it.
   */
  readonly sample?: { readonly entries: string; readonly sum: string; readonly scansHeld: number };
  /** How many scans in a row were other than the reference. */
  readonly scansAbove: number;
};

export type VectorReferences = { readonly [vector: string]: StoredVectorReference };

/** Lengths of the vectors of one name before they were normalised. */
export type StoredInputNorms = {
  /** Of all that had been written at the last scan. */
  readonly seen: readonly InputNormInterval[];
  /** Of those that were written while all was well. */
  readonly usual: readonly InputNormInterval[];
  /** How many scans in a row found others. */
  readonly scansOtherwise: number;
};

export type InputNormMemory = { readonly [vector: string]: StoredInputNorms };

/** What a scan hands to the next one of the same asset: small, JSON. */
export type ScanMemory = {
  readonly columns: readonly Column[];
  /** For delta scans: the highest timestamp that was read. */
  readonly watermark: string | null;
  /** For vector collections. */
  readonly recentCentroids?: RecentCentroids;
  readonly vectorReferences?: VectorReferences;
  readonly inputNorms?: InputNormMemory;
  /** Of files: how many rows each has; left out where not all of them were measured. */
  readonly files?: readonly FileRows[];
  /** Of files and tables. */
  readonly segments?: SegmentProfile;
};

/** Of a group of rows; of each column: rows with a value that is not empty, rows with a finite number, and the sum of these, null where it is none. */
export type SegmentFigures = {
  readonly rows: number;
  readonly filled: readonly number[];
  readonly numbers: readonly number[];
  readonly sums: readonly (number | null)[];
};

/** What a few groups of rows add to each column; figures are in the order of the attributes. */
export type SegmentProfile = {
  readonly attributes: readonly string[];
  readonly groups: readonly ({ readonly attribute: string; readonly value: string | null } & SegmentFigures)[];
  /** Left out by releases that did not know it, and where there is nothing to combine. */
  readonly cube?: SegmentCube;
};

/** What the rows of each combination of a few values add to each column. */
export type SegmentCube = {
  readonly axes: readonly { readonly attribute: string; readonly values: readonly (string | null)[] }[];
  readonly attributes: readonly string[];
  /** `at`: by axis, the position of the value from 1, or 0 for all others; combinations without rows are left out. */
  readonly cells: readonly ({ readonly at: readonly number[] } & SegmentFigures)[];
};

/** How the rows or a column of the whole changed since the scan before, and the rows that made most of it. */
export type SegmentMove = ColumnMove | VolumeMove;

export type ColumnMove = {
  readonly attribute: string;
  /** In percent of the rows, or in the unit of the column. */
  readonly measure: 'COMPLETENESS' | 'MEAN';
  readonly before: number;
  readonly after: number;
  readonly segments: readonly MovedSegment[];
};

/** Of the number of rows. */
export type VolumeMove = {
  readonly attribute: null;
  readonly measure: 'VOLUME';
  readonly before: number;
  readonly after: number;
  readonly segments: readonly VolumeSegment[];
};

export type ScanResult = {
  readonly columns: readonly Column[];
  readonly recordsScanned: number;
  readonly rejectedRows: number;
  readonly metrics: readonly MetricPoint[];
  readonly schemaChanges: readonly SchemaChange[];
  readonly samples: readonly RowSample[];
  /** Rules and expressions that could not be measured, by monitor id, with the reason. */
  readonly failures: readonly { readonly monitor_id: string; readonly reason: string }[];
  /** Metrics that were measured and have no value, with the reason. */
  readonly valueless: readonly ValuelessSeries[];
  /** What explains the figures and could not be computed, in sentences. */
  readonly omissions: readonly string[];
  /** How many records each rule looked at and how many of them failed, for the whole. */
  readonly ruleCounts: readonly RuleCount[];
  /** Where the asset asks for it, and it could be searched. */
  readonly cells?: CellFindings;
  /** What of completeness and means changed since the scan before, by the rows that made it. */
  readonly segmentMoves: readonly SegmentMove[];
  /** Files whose number of rows changed since the scan before, where there are several. */
  readonly fileChanges: readonly FileChange[];
  readonly memory: ScanMemory;
};

/** A metric, or a segment of one, that has no value: what of it is at fault, in words. */
export type ValuelessSeries = { readonly monitor_id: string; readonly segment: string | null; readonly reason: string };

export type RuleCount = {
  readonly monitor_id: string;
  readonly checked: number;
  readonly failed: number;
  /** Values that are more frequent among the rows that failed, those that explain the most first; left out where there are none. */
  readonly segments?: readonly FailingSegment[];
  /** Why nobody knows what the rows that failed have in common; left out where it was looked for. */
  readonly unexplained?: string;
};

export type ScanProgress = {
  readonly phase: 'reading' | 'measuring';
  readonly rowsRead: number;
  /** Between 0 and 1, null while it cannot be known. */
  readonly fraction: number | null;
};

export type ScanLimits = {
  /** Memory of the scan engine. */
  readonly memoryBytes: number;
  /** Space for spilling. */
  readonly temporaryDirectory: string;
  readonly temporaryBytes: number;
  readonly threads: number;
  readonly timeoutMs: number;
};

export type ScanRunOptions = {
  readonly limits: ScanLimits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ScanProgress) => void;
};

/** Runs a scan off the calling thread; rejects when the signal says so, when a limit is hit (with a sentence) or when the source fails. */
export type RunScan = (request: ScanRequest, options: ScanRunOptions) => Promise<ScanResult>;
