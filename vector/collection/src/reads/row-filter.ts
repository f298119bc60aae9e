/**
 * One request's filter over one collection. Field indexes narrow it where they can; what they leave open is decided by
 * evaluating the payload, so that the answer is the same with and without an index.
 */
import type { Filter } from '@sextant/contracts-vector';
import type { RowSet, StorageReader, StoredPoint } from '@sextant/vector-storage';
import { planFilter } from '../field-index/plan.ts';
import type { FieldIndex } from '../field-index/schema.ts';
import { type CompiledFilter, compileFilter } from '../filter/compile.ts';
import type { Pacer } from '../pacer.ts';
import type { SpaceSchema } from '../vectors.ts';
import type { FilterCache } from './filter-cache.ts';
import { storedPayload } from './records.ts';

/** Points that are fetched and evaluated between two looks at the clock. */
const EVALUATION_BATCH = 64;

/** The part of storage that filters read; a running write transaction has it too. */
export type FilterSource = Pick<StorageReader, 'sequence' | 'rowOf' | 'point' | 'hasVector' | 'rows' | 'posting' | 'unionPostings'>;

export type FilterScope = {
  readonly storage: FilterSource;
  readonly spaces: readonly SpaceSchema[];
  readonly fieldIndexes: ReadonlyMap<string, FieldIndex>;
  readonly filterCache?: FilterCache;
};

export class RowFilter {
  /** Rows that may match, from the field indexes; undefined when they cannot narrow it. */
  readonly candidates: RowSet | undefined;
  readonly #scope: FilterScope;
  readonly #filter: Filter;
  readonly #compiled: CompiledFilter;
  readonly #cached: RowSet | undefined;
  readonly #candidatesExact: boolean;
  /** Operation up to which the candidates speak; a point that changed later is evaluated. */
  readonly #sequence: number;

  constructor(scope: FilterScope, filter: Filter) {
    this.#scope = scope;
    this.#filter = filter;
    this.#sequence = scope.storage.sequence;
    this.#compiled = compileFilter(filter, (field) => scope.fieldIndexes.get(field)?.schema);
    this.#cached = scope.filterCache?.get(filter, this.#sequence);
    const plan = this.#cached === undefined ? planFilter(this.#compiled, scope.fieldIndexes, scope.storage) : undefined;
    this.candidates = this.#cached ?? plan?.rows;
    this.#candidatesExact = this.#cached !== undefined || plan?.exact === true;
    if (plan?.exact === true) scope.filterCache?.put(filter, this.#sequence, plan.rows);
  }

  /** The rows that match, when they are known without evaluating any payload. */
  get knownRows(): RowSet | undefined {
    return this.#candidatesExact ? this.candidates : undefined;
  }

  /** Whether the point, as it is now, belongs to the answer; evaluates only what is not known. */
  passes(row: number, point: StoredPoint): boolean {
    if (point.version > this.#sequence) return this.matches(row, point);
    if (this.candidates?.has(row) === false) return false;
    return this.#candidatesExact || this.matches(row, point);
  }

  matches(row: number, point: StoredPoint): boolean {
    return this.#compiled.matches({
      id: point.id,
      payload: storedPayload(point),
      hasVector: (name) => this.#hasVector(name, row),
    });
  }

  /** All rows that match; evaluates payloads where the indexes do not decide, leaving the thread free between slices. */
  async rows(pacer: Pacer): Promise<RowSet> {
    if (this.knownRows !== undefined) return this.knownRows;
    const { storage, filterCache } = this.#scope;
    const rows = (this.candidates ?? storage.rows()).clone();
    let evaluated = 0;
    for (const row of rows.toArray()) {
      this.#keepIfMatching(rows, row);
      if (++evaluated % EVALUATION_BATCH === 0 && pacer.due()) await pacer.pause();
    }
    if (storage.sequence === this.#sequence) filterCache?.put(this.#filter, this.#sequence, rows);
    return rows;
  }

  /** The same in one go, for the writer inside its transaction. */
  rowsNow(): RowSet {
    if (this.knownRows !== undefined) return this.knownRows;
    const rows = (this.candidates ?? this.#scope.storage.rows()).clone();
    for (const row of rows.toArray()) this.#keepIfMatching(rows, row);
    return rows;
  }

  #keepIfMatching(rows: RowSet, row: number): void {
    const point = this.#scope.storage.point(row);
    if (point === undefined || !this.matches(row, point)) rows.delete(row);
  }

  #hasVector(name: string, row: number): boolean {
    const space = this.#scope.spaces.find((candidate) => candidate.name === name);
    return space !== undefined && this.#scope.storage.hasVector(space.ordinal, row);
  }
}
