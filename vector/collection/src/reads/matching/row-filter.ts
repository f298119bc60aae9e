// SPDX-License-Identifier: Apache-2.0
/**
 * One request's filter over one collection. Field indexes narrow it where they can; what they leave open is decided by
 * evaluating the payload, so that the answer is the same with and without an index.
 */
import type { Filter } from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import type { StorageReader, StoredPoint } from '@sextant/vector-storage';
import type { FieldIndex } from '../../field-index/schema.ts';
import type { VectorSchemas } from '../../model/vectors.ts';
import type { SpaceClusters } from '../ivf/filter-clusters.ts';
import type { MatchingRows } from '../matching-rows.ts';
import type { Pacer } from '../pacer.ts';
import type { FilterCache } from './filter-cache.ts';
import { KnownFilter, type OpenFilter } from './known-filter.ts';

/** The part of storage that filters read; a running write transaction has it too. */
export type FilterSource = Pick<
  StorageReader,
  'sequence' | 'pointCount' | 'rowOf' | 'point' | 'hasVector' | 'hasSparseVector' | 'rows' | 'posting' | 'unionPostings'
>;

export type FilterScope = VectorSchemas & {
  readonly storage: FilterSource;
  readonly fieldIndexes: ReadonlyMap<string, FieldIndex>;
  readonly filterCache?: FilterCache;
  /** Tells what asking the indexes costs; without it there is nothing to be kept. */
  readonly clock?: Clock;
};

export class RowFilter {
  readonly #known: KnownFilter;
  /** Operation up to which the rows speak; a point that changed later is evaluated. */
  #sequence: number;
  #candidates: MatchingRows | undefined;
  #matching: MatchingRows | undefined;

  constructor(scope: FilterScope, filter: Filter) {
    this.#known = scope.filterCache?.known(scope, filter) ?? new KnownFilter(scope, filter);
    this.#sequence = this.#known.sequence;
    this.#candidates = this.#known.candidates;
    this.#matching = this.#known.matching;
  }

  /** Rows that may match; undefined when that is every row. */
  get candidates(): MatchingRows | undefined {
    return this.#candidates;
  }

  /** The rows that match, when they are known without evaluating any more payloads. */
  get matching(): MatchingRows | undefined {
    return this.#matching;
  }

  /** What the planner wants to know while the rows that match are not known. */
  get open(): OpenFilter {
    return this.#known.open;
  }

  /** The clusters of the rows that match, once these are known, by one of the vectors. */
  clusters(ordinal: number): SpaceClusters | undefined {
    return this.#matching === undefined ? undefined : this.#known.clusters.of(ordinal);
  }

  /** Microseconds that went into single rows of an open filter. */
  spend(microseconds: number): void {
    this.#known.spend(microseconds);
  }

  /** Whether the point, as it is now, belongs to the answer; evaluates only what is not known. */
  passes(row: number, point: StoredPoint): boolean {
    if (point.version > this.#sequence) return this.matches(row, point);
    if (this.#matching !== undefined) return this.#matching.set.has(row);
    return this.#candidates?.set.has(row) !== false && this.#known.decides(row);
  }

  /** Whether the row, as it is now or was when it was looked at, matches. */
  decides(row: number): boolean {
    return this.#known.decides(row);
  }

  matches(row: number, point: StoredPoint): boolean {
    return this.#known.matches(row, point);
  }

  /** All rows that match; evaluates payloads where the indexes do not decide, leaving the thread free between slices. */
  async rows(pacer: Pacer): Promise<MatchingRows> {
    if (this.#matching !== undefined) return this.#matching;
    const { rows, sequence } = await this.#known.decideAll(pacer);
    this.#candidates = this.#matching = rows;
    this.#sequence = sequence;
    return rows;
  }

  /** The same in one go, for the writer inside its transaction. */
  rowsNow(): MatchingRows {
    return this.#matching ?? this.#known.decideAllNow();
  }
}
