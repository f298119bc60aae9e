// SPDX-License-Identifier: Apache-2.0
/** Expects what was usual lately: an exponentially weighted mean (Brown 1959). */
import type { KeptNumbers } from './kept-numbers.ts';
import type { Pace } from './pace.ts';
import { MOVED_VARIANCE, type View, type ViewedPoint } from './view.ts';

export class LevelView implements View {
  readonly #pace: Pace;
  readonly #memory: { readonly points: number; readonly days: number };
  #level = 0;
  #variance = 0;

  constructor(pace: Pace, memory: { readonly points: number; readonly days: number }) {
    this.#pace = pace;
    this.#memory = memory;
  }

  expect(): number {
    return this.#level;
  }

  variance(): number {
    return this.#variance;
  }

  learn({ value }: ViewedPoint): void {
    const rate = this.#pace.rate(this.#memory);
    this.#level += rate * (value - this.#level);
    this.#variance = (1 - rate) ** 2 * this.#variance + rate ** 2;
  }

  moveTo(value: number): void {
    this.#level = value;
    this.#variance = MOVED_VARIANCE;
  }

  keep(numbers: KeptNumbers): void {
    this.#level = numbers.double(this.#level);
    this.#variance = numbers.double(this.#variance);
  }
}
