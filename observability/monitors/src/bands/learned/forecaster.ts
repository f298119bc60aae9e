/** A view with the memory of its own errors: an expectation that knows how far to trust itself. */
import type { SeriesTraits } from '../band.ts';
import { ErrorMemory } from './error-memory.ts';
import type { Tail } from './tail.ts';
import { narrowest, toleratedDeviation } from './tolerance.ts';
import type { View } from './view.ts';

/** Errors before it is listened to. */
const ERRORS_MIN = 3;
/** A surprise widens the band, and moves the expectation, by no more than so many deviations. */
const WIDENING_MAX = 2;
const MOVING_MAX = 4;

/** Whether all views together were surprised; an episode of surprises in a row is one error, however long it lasts. */
export type Surprise = 'none' | 'first' | 'further';

export class Forecaster {
  readonly #view: View;
  readonly #errors: ErrorMemory;
  readonly #traits: SeriesTraits;
  #expected: number | undefined;
  #tolerance = 0;
  #narrowest = 0;
  #deviation = 0;

  constructor(view: View, { traits, points }: { readonly traits: SeriesTraits; readonly points: number }) {
    this.#view = view;
    this.#errors = new ErrorMemory(points);
    this.#traits = traits;
  }

  /** What it expected of the moment that it last looked at. */
  get expected(): number {
    return this.#expected ?? Number.NaN;
  }

  /** Deviation of its errors; infinite while it has nothing to say. */
  get deviation(): number {
    return this.#deviation;
  }

  lookAt(timeMs: number, isCount: boolean): void {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = this.#traits;
    const expected = this.#view.expect(timeMs);
    this.#expected = expected === undefined ? undefined : Math.min(maximum, Math.max(minimum, expected));
    this.#tolerance = toleratedDeviation(this.#expected ?? 0, this.#traits, isCount);
    this.#narrowest = narrowest(isCount);
    const isSilent = expected === undefined || this.#errors.count < ERRORS_MIN;
    this.#deviation = isSilent ? Number.POSITIVE_INFINITY : this.#errors.deviation(this.#tolerance);
  }

  /** Distance from the expectation to either bound, at the moment that it last looked at. */
  halfWidth(tail: Tail): number {
    return Math.max(this.#narrowest, this.#errors.halfWidth(tail, this.#tolerance));
  }

  /** Learns the value of the moment that it last looked at. */
  learn(timeMs: number, value: number, surprise: Surprise): void {
    const isSurprise = surprise !== 'none';
    if (this.#expected === undefined) {
      this.#view.learn({ timeMs, value, isSurprise });
      return;
    }
    const error = value - this.#expected;
    const size = Math.abs(error);
    const deviation = this.#errors.deviation(this.#tolerance);
    const counted = isSurprise ? Math.min(size, WIDENING_MAX * deviation) : size;
    this.#errors.learn({ ranked: surprise === 'further' ? counted : size, counted });
    const moving = isSurprise ? Math.min(size, MOVING_MAX * deviation) : size;
    this.#view.learn({ timeMs, value: this.#expected + Math.sign(error) * moving, isSurprise });
  }

  /** A first value, of which there was nothing to expect. */
  begin(timeMs: number, value: number): void {
    this.#view.moveTo(value, timeMs);
    this.#view.learn({ timeMs, value, isSurprise: false });
  }

  moveTo(value: number, timeMs: number): void {
    this.#view.moveTo(value, timeMs);
  }
}
