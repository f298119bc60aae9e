// SPDX-License-Identifier: Apache-2.0
/**
 * What one thread knows of one filter, from its first request on. Field indexes say which rows may match; where they do not decide, payloads are evaluated,
 * and each verdict is kept. Writes do not undo it: rows that changed are looked at again, and only they. Nothing here depends on when it is
 * learned: a verdict is true for every later snapshot in which its row has not changed.
 */
import type { Filter } from '@sextant/contracts-vector';
import type { RowSet, StoredPoint } from '@sextant/vector-storage';
import { planFilter } from '../../field-index/plan.ts';
import { type CompiledFilter, compileFilter } from '../../filter/compile.ts';
import type { ChangedRows } from '../../model/changed-rows.ts';
import { FilterClusters } from '../ivf/filter-clusters.ts';
import { MatchingRows } from '../matching-rows.ts';
import type { Pacer } from '../pacer.ts';
import { evaluationCost } from '../search-costs.ts';
import { filterable } from './filter-point.ts';
import type { FilterScope } from './row-filter.ts';
import { Verdicts } from './verdicts.ts';

/** Points that are fetched and evaluated between two looks at the clock. */
const EVALUATION_BATCH = 64;
/** Changed rows that are evaluated at once, about a tenth of a millisecond; more of them where asking the indexes again takes longer. */
const CATCH_UP_MIN = 32;
const CATCH_UP_MAX = 512;
/** Microseconds for each, as a payload of some hundred characters takes them. */
const CATCH_UP_COST = 4;
/** Payloads that tell how many rows match, and how long they are. */
const SAMPLE = 64;
const PROBES_MAX = 1024;
/** The fraction of the golden ratio, of 2^32; see the seeds of a graph search in the kernel. */
const GOLDEN = 2_654_435_769;

/** What the planner asks of a filter that is not decided. */
export type OpenFilter = {
  /** Of the rows that may match, those that probably do; above 0. */
  readonly share: number;
  /** Rows whose payload is still to be evaluated. */
  readonly undecided: number;
  /** Microseconds for each. */
  readonly evaluationCost: number;
  /** Microseconds that searches have spent on single rows so far, instead of deciding all. */
  readonly spent: number;
};

type Sample = { readonly share: number; readonly evaluationCost: number };

export class KnownFilter {
  readonly clusters: FilterClusters;
  readonly #scope: FilterScope;
  readonly #compiled: CompiledFilter;
  /** Every row as of this operation; verdicts of later snapshots may be among them. */
  #sequence: number;
  /** Rows that may match; undefined where that is every live row. */
  #rows: MatchingRows | undefined;
  readonly #isIndexed: boolean;
  readonly #catchUpMax: number;
  /** Present while the rows that may match have to be evaluated one by one. */
  #verdicts: Verdicts | undefined;
  /** Rows that changed since they were decided, with the operation that was seen then. */
  readonly #stale = new Map<number, number>();
  #sample: Sample | undefined;
  #spent = 0;
  #deciding: Promise<void> | undefined;

  /** @param clusters of its rows, where they were trained before; every row that changed since then has been taken out */
  constructor(scope: FilterScope, filter: Filter, clusters = new FilterClusters()) {
    this.#scope = scope;
    this.clusters = clusters;
    this.#sequence = scope.storage.sequence;
    this.#compiled = compileFilter(filter, (field) => scope.fieldIndexes.get(field)?.schema);
    const startMs = scope.clock?.monotonicMs() ?? 0;
    const plan = planFilter(this.#compiled, scope.fieldIndexes, scope.storage);
    const planMicroseconds = 1000 * ((scope.clock?.monotonicMs() ?? 0) - startMs);
    this.#catchUpMax = Math.max(CATCH_UP_MIN, Math.min(CATCH_UP_MAX, planMicroseconds / CATCH_UP_COST));
    this.#rows = plan && new MatchingRows(plan.rows);
    this.#isIndexed = plan?.exact === true;
    this.#verdicts = this.#isIndexed ? undefined : new Verdicts();
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Rows that may match; undefined where that is every live row. */
  get candidates(): MatchingRows | undefined {
    return this.#rows;
  }

  /** The rows that match, where they are known. */
  get matching(): MatchingRows | undefined {
    return this.#verdicts === undefined && this.#stale.size === 0 ? this.#rows : undefined;
  }

  /** Without those of the clusters. */
  get bytes(): number {
    return (this.#rows?.bytes ?? 0) + (this.#verdicts?.bytes ?? 0);
  }

  /** What is to be known before a plan is made; looks at some payloads the first time. */
  get open(): OpenFilter {
    this.#sample ??= this.#takeSample();
    return { ...this.#sample, undecided: this.#undecidedCount(), spent: this.#spent };
  }

  /** A search looked where fewer rows match than the sample had it. */
  spend(microseconds: number): void {
    this.#spent += microseconds;
  }

  matches(row: number, point: StoredPoint): boolean {
    return this.#compiled.matches(filterable(this.#scope, row, point));
  }

  /** Whether a row matches: by what is known, else by its payload. */
  decides(row: number): boolean {
    if (this.#rows?.set.has(row) === false) return false;
    if (this.#verdicts === undefined && !this.#stale.has(row)) return true;
    const known = this.#verdicts?.of(row);
    if (known !== undefined) return known;
    const matches = this.#evaluate(row);
    this.#verdicts?.decide(row, matches);
    return matches;
  }

  /** Follows the storage to the snapshot that it has now; false where starting again is better, with the clusters that are left. */
  follow(changes: ChangedRows): boolean {
    const { storage } = this.#scope;
    const { sequence } = storage;
    if (sequence === this.#sequence) return true;
    const changed = changes.since(this.#sequence);
    if (changed === undefined) {
      this.clusters.drop();
      return false;
    }
    this.clusters.change(changed);
    if (this.#isIndexed && changed.size > this.#catchUpMax) return false;
    this.#sequence = sequence;
    this.#mark(changed, sequence);
    if (this.#isIndexed || this.#stale.size <= CATCH_UP_MIN)
      this.#settle([...this.#stale.keys()].map((row) => ({ row, matches: this.#evaluate(row) })));
    return true;
  }

  /** The rows that match; evaluates what is open in slices. Who comes meanwhile waits for the same. */
  async decideAll(pacer: Pacer): Promise<{ readonly rows: MatchingRows; readonly sequence: number }> {
    for (;;) {
      const { matching } = this;
      if (matching !== undefined) return { rows: matching, sequence: this.#sequence };
      this.#deciding ??= this.#decideOpen(pacer).finally(() => {
        this.#deciding = undefined;
      });
      await this.#deciding;
    }
  }

  /** The same in one go, for the writer inside its transaction. */
  decideAllNow(): MatchingRows {
    for (const row of this.#openRows()) this.decides(row);
    const rows = this.#candidateSet();
    return new MatchingRows(this.#verdicts?.matching(rows) ?? rows);
  }

  async #decideOpen(pacer: Pacer): Promise<void> {
    const settled: { row: number; matches: boolean; at: number | undefined }[] = [];
    let evaluated = 0;
    for (const row of this.#openRows()) {
      const at = this.#stale.get(row);
      const matches = this.decides(row);
      if (this.#verdicts === undefined) settled.push({ row, matches, at });
      if (++evaluated % EVALUATION_BATCH === 0 && pacer.due()) await pacer.pause();
    }
    // Rows that changed again meanwhile stay open.
    this.#settle(settled.filter(({ row, at }) => this.#stale.get(row) === at));
    if (this.#verdicts === undefined) return;
    const rows = this.#candidateSet();
    if (this.#verdicts.undecided(rows).length > CATCH_UP_MIN) return;
    for (const row of this.#verdicts.undecided(rows)) this.decides(row);
    this.#rows = new MatchingRows(this.#verdicts.matching(rows));
    this.#verdicts = undefined;
  }

  /** Takes rows that changed among those that may match, to be decided again; those that are gone match nothing then. */
  #mark(changed: ReadonlySet<number>, sequence: number): void {
    const rows = this.#rows?.set.clone();
    for (const row of changed) {
      rows?.add(row);
      if (this.#verdicts === undefined) this.#stale.set(row, sequence);
      else this.#verdicts.forget(row);
    }
    this.#rows = rows && new MatchingRows(rows);
  }

  #settle(settled: readonly { readonly row: number; readonly matches: boolean }[]): void {
    for (const { row } of settled) this.#stale.delete(row);
    const failing = settled.filter(({ matches }) => !matches);
    if (this.#rows === undefined || failing.length === 0) return;
    const rows = this.#rows.set.clone();
    for (const { row } of failing) rows.delete(row);
    this.#rows = new MatchingRows(rows);
  }

  #evaluate(row: number): boolean {
    const point = this.#scope.storage.point(row);
    return point !== undefined && this.matches(row, point);
  }

  #openRows(): Iterable<number> {
    return this.#verdicts === undefined ? [...this.#stale.keys()] : this.#verdicts.undecided(this.#candidateSet());
  }

  #undecidedCount(): number {
    if (this.#verdicts === undefined) return this.#stale.size;
    return Math.max(0, (this.#rows?.count ?? this.#scope.storage.pointCount) - this.#verdicts.count);
  }

  #candidateSet(): RowSet {
    return this.#rows?.set ?? this.#scope.storage.rows();
  }

  #takeSample(): Sample {
    let [looked, matching, length] = [0, 0, 0];
    for (const row of spread(this.#candidateSet())) {
      length += this.#scope.storage.point(row)?.payload.length ?? 0;
      matching += Number(this.decides(row));
      looked++;
    }
    // Laplace's rule of succession: that none of a few matches does not say that none does.
    return { share: (matching + 1) / (looked + 2), evaluationCost: evaluationCost(looked === 0 ? 0 : length / looked) };
  }
}

/** Rows from all over a set, each at most once. */
function spread({ words }: RowSet): ReadonlySet<number> {
  const rows = new Set<number>();
  let at = 0;
  for (let probe = 0; probe < PROBES_MAX && rows.size < SAMPLE; probe++) {
    at = (at + GOLDEN) >>> 0;
    const word = Math.floor((at / 2 ** 32) * words.length);
    const bits = words[word] ?? 0;
    // From a bit that varies too: every row that is a multiple of 32 may be alike.
    const first = at & 31;
    const turned = (bits >>> first) | (first === 0 ? 0 : bits << (32 - first));
    if (turned !== 0) rows.add(word * 32 + ((31 - Math.clz32(turned & -turned) + first) & 31));
  }
  return rows;
}
