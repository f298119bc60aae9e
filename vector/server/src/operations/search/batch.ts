// SPDX-License-Identifier: Apache-2.0
/**
 * The searches of a batch, on every core. They are answered here one by one until it is known what one takes; what would take long is then
 * also handed in parts to the other serving threads, which answer it between requests of their own. Nobody takes more than a short
 * part at a time, so all end together, and a single search on any thread waits for one search of the batch.
 */
import { type ErrorCode, ServiceError } from '@sextant/contracts-vector';
import { assert, type Clock } from '@sextant/foundation-std';
import { JsonText } from '../json-text.ts';
import { nextTurn } from '../paced.ts';

/** Answers one search of a batch. */
export type AnswerOne<Search> = (search: Search) => Promise<JsonText>;

/** What another thread is asked: some of a batch's searches, as they were let through by the schema. */
export type BatchPart = {
  readonly operation: 'search_batch' | 'query_batch' | 'search_matrix';
  readonly collection: string;
  /** The position of the first in the batch. */
  readonly from: number;
  readonly searches: readonly unknown[];
  /** What they share, without buffers. */
  readonly common?: unknown;
};

/** Its answers as JSON text, or the first of its searches that is refused. */
export type PartAnswer =
  | { readonly kind: 'answered'; readonly texts: readonly string[] }
  | { readonly kind: 'refused'; readonly position: number; readonly code: ErrorCode; readonly details: ServiceError['details'] };

/** Another serving thread; undefined when it is gone. */
export type Helper = (part: BatchPart) => Promise<PartAnswer | undefined>;

/** What is measured before anything is handed over. */
const FIRST_SEARCHES = 4;
/** Less is done here before another thread has well begun. */
const SHARED_MS_MIN = 2;
/** What one part takes: long beside the way there and back, short beside what a client notices. */
const PART_MS = 2;
/** Parts that a helper has at a time: while it answers one, the next is on its way. */
const PARTS_AHEAD = 2;
const PART_LENGTH_MAX = 64;

export type Batch<Search> = Omit<BatchPart, 'from' | 'searches'> & { readonly searches: readonly Search[] };

export type BatchSurroundings = { readonly clock: Clock; readonly helpers?: readonly Helper[] };

/** Answers in the order of the searches; throws what the first of them that fails has thrown. */
export async function answerBatch<Search>(
  batch: Batch<Search>,
  { clock, helpers = [] }: BatchSurroundings,
  answer: AnswerOne<Search>,
): Promise<readonly JsonText[]> {
  const run = new BatchRun(batch, clock, answer);
  if (helpers.length > 0) await run.answerHere(FIRST_SEARCHES);
  const lanes = run.msLeft() >= SHARED_MS_MIN ? helpers.flatMap((helper) => Array<Helper>(PARTS_AHEAD).fill(helper)) : [];
  await Promise.all([run.answerHere(), ...lanes.map((helper) => run.answerThere(helper, lanes.length))]);
  return run.answers();
}

/** Answers a part of another thread's batch. */
export async function answerPart<Search>(
  { from }: Pick<BatchPart, 'from'>,
  searches: readonly Search[],
  answer: AnswerOne<Search>,
): Promise<PartAnswer> {
  const texts: string[] = [];
  for (const [index, search] of searches.entries()) {
    try {
      texts.push((await answer(search)).text);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { kind: 'refused', position: from + index, code: error.code, details: error.details };
    }
    await nextTurn();
  }
  return { kind: 'answered', texts };
}

class BatchRun<Search> {
  readonly #batch: Batch<Search>;
  readonly #clock: Clock;
  readonly #answer: AnswerOne<Search>;
  readonly #answers: JsonText[] = [];
  readonly #startedMs: number;
  #answeredHere = 0;
  /** The position of the first search that nobody has taken. */
  #next = 0;
  #failure: { readonly position: number; readonly error: unknown } | undefined;

  constructor(batch: Batch<Search>, clock: Clock, answer: AnswerOne<Search>) {
    this.#batch = batch;
    this.#clock = clock;
    this.#answer = answer;
    this.#startedMs = clock.monotonicMs();
  }

  /** What is left would take this thread so long, by what it has answered. */
  msLeft(): number {
    return this.#msEach() * this.#left();
  }

  /** Answers one after the other, at most `count`, while there are any; other requests run in between. */
  async answerHere(count = Number.POSITIVE_INFINITY): Promise<void> {
    for (let answered = 0; answered < count && this.#left() > 0; answered++) {
      await this.#answerAt(this.#next++);
      this.#answeredHere++;
      await nextTurn();
    }
  }

  /** Hands parts to a helper while there are any. The part that a helper leaves behind when it goes is answered here. */
  async answerThere(helper: Helper, lanes: number): Promise<void> {
    while (this.#left() > 0) {
      const from = this.#next;
      this.#next += this.#partLength(lanes);
      if (await this.#answerPartBy(helper, from, this.#next)) continue;
      for (let position = from; position < this.#batch.searches.length && position < this.#next; position++) await this.#answerAt(position);
      return;
    }
  }

  answers(): readonly JsonText[] {
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#answers;
  }

  /** None once a search has failed: all before it were taken, so that the first failure is known when those have ended. */
  #left(): number {
    return this.#failure === undefined ? this.#batch.searches.length - this.#next : 0;
  }

  #msEach(): number {
    return this.#answeredHere === 0 ? 0 : (this.#clock.monotonicMs() - this.#startedMs) / this.#answeredHere;
  }

  /** Shorter towards the end, so that nobody waits long for the last one. */
  #partLength(lanes: number): number {
    const inTime = Math.round(PART_MS / this.#msEach());
    return Math.max(1, Math.min(inTime, PART_LENGTH_MAX, Math.ceil(this.#left() / (2 * (lanes + 1)))));
  }

  async #answerAt(position: number): Promise<void> {
    const search = this.#batch.searches[position];
    assert(search !== undefined, 'only searches of the batch are taken');
    try {
      this.#answers[position] = await this.#answer(search);
    } catch (error) {
      this.#fail(position, error);
    }
  }

  /** False where the helper is gone. */
  async #answerPartBy(helper: Helper, from: number, to: number): Promise<boolean> {
    const { searches, ...batch } = this.#batch;
    try {
      const part = await helper({ ...batch, from, searches: searches.slice(from, to).map(ownBuffers) });
      if (part === undefined) return false;
      if (part.kind === 'refused') this.#fail(part.position, new ServiceError(part.code, part.details));
      else for (const [index, text] of part.texts.entries()) this.#answers[from + index] = new JsonText(text);
    } catch (error) {
      this.#fail(from, error);
    }
    return true;
  }

  #fail(position: number, error: unknown): void {
    if (this.#failure === undefined || position < this.#failure.position) this.#failure = { position, error };
  }
}

/** Short vectors share their buffer with others, all of which would go along. */
function ownBuffers(value: unknown): unknown {
  if (value instanceof Float32Array) return value.slice();
  if (Array.isArray(value)) return typeof value[0] === 'number' ? value : value.map(ownBuffers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, ownBuffers(member)]));
}
