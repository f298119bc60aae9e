/**
 * Whether a walk serves a filter that leaves out what lies around the query. What passes lies far away then, in several places, and a walk that has to find these
 * by itself misses some. But searches by one filter are often alike, and so are their answers: a walk that begins at what earlier searches have found, by
 * looking at every row, finds what lies beside it. How much that is depends on the data: of pictures nearly all, of words too little. So some searches
 * go both ways: the look at every row answers, and says what the walk has missed.
 */

/** Times the beam that is asked for, from the first one tried on. */
const BEAMS = [1, 1.5, 2, 4] as const;
/**
 * Searches whose answers are kept before any walk is tried, and searches that go both ways before a beam is judged. Of 69,000 pictures a walk that knows the answers
 * of 40 others, 256 rows of them, finds 0.944 of the nearest ten; of 64 and 512 rows 0.961, in the same time.
 */
const LEARNED = 40;
const TRIALS = 24;
/** So many go both ways at most: where the same few queries come again and again, they do not tell what a walk finds for others. */
const TRIALS_MAX = 96;
/** Of what a look at every row finds, a walk has to find so much: that look goes by codes and misses a few itself. */
const FOUND_MIN = 0.975;
/** After so many trials a beam that has found less than this is given up already: the others would not make up for it. */
const HOPELESS_TRIALS = 8;
const HOPELESS = 0.92;
/** Rows of answers that are kept, the latest. */
const STARTS_MAX = 512;
/** The data, or what is asked, may have changed after so many searches. */
const SEARCHES_MAX = 2000;
const ROW_BYTES = Uint32Array.BYTES_PER_ELEMENT;

export type WalkAdvice =
  /** Look at every row; nothing is to be learned of it. */
  | { readonly kind: 'sweep' }
  /** Look at every row and note what was found. */
  | { readonly kind: 'learn' }
  /** Go both ways, or the walk alone, with a beam so many times as wide. */
  | { readonly kind: 'try' | 'walk'; readonly times: number };

export class WalkTrial {
  #beam = 0;
  #isJudged = false;
  #searches = 0;
  #tried = 0;
  #counted = 0;
  #wanted = 0;
  #found = 0;
  /** The one that was found longest ago comes first. */
  readonly #answers = new Set<number>();
  #starts = new Uint32Array();

  /** Rows that walks begin at. */
  get starts(): Uint32Array {
    return this.#starts;
  }

  get bytes(): number {
    // The set takes some times what the rows do.
    return STARTS_MAX * ROW_BYTES * 8;
  }

  /**
   * To be asked once for each search of this kind.
   * @param timesMax times the beam up to which a walk costs clearly less than a look at every row
   */
  advise(timesMax: number): WalkAdvice {
    if (++this.#searches > SEARCHES_MAX) this.#reset();
    const times = BEAMS[this.#beam];
    if (times === undefined || times > timesMax) return { kind: 'sweep' };
    if (this.#isJudged) return { kind: 'walk', times };
    return this.#searches <= LEARNED ? { kind: 'learn' } : { kind: 'try', times };
  }

  /** What a look at every row has found, and where a walk was tried, what that has. */
  note(swept: readonly number[], walked?: ReadonlySet<number>): void {
    if (walked !== undefined && !this.#isJudged) this.#compare(swept, walked);
    for (const row of swept) {
      this.#answers.delete(row);
      this.#answers.add(row);
    }
    for (const row of this.#answers) {
      if (this.#answers.size <= STARTS_MAX) break;
      this.#answers.delete(row);
    }
    this.#starts = Uint32Array.from(this.#answers);
  }

  #compare(swept: readonly number[], walked: ReadonlySet<number>): void {
    this.#tried++;
    // A query that came before, most likely: the walk begins at its answer.
    const isKnown = swept.every((row) => this.#answers.has(row));
    if (!isKnown) {
      this.#counted++;
      this.#wanted += swept.length;
      for (const row of swept) this.#found += Number(walked.has(row));
    }
    const isHopeless = this.#counted === HOPELESS_TRIALS && this.#found < HOPELESS * this.#wanted;
    if (isHopeless || this.#counted === TRIALS) this.#judge();
    else if (this.#tried === TRIALS_MAX) this.#beam = BEAMS.length;
  }

  #judge(): void {
    if (this.#found >= FOUND_MIN * this.#wanted) this.#isJudged = true;
    else this.#beam++;
    this.#counted = this.#wanted = this.#found = 0;
  }

  /** What was found before is where the next trials begin. */
  #reset(): void {
    this.#beam = this.#tried = this.#counted = this.#wanted = this.#found = 0;
    this.#isJudged = false;
    this.#searches = LEARNED + 1;
  }
}
