// SPDX-License-Identifier: Apache-2.0
import type { Scale } from '../scale.ts';

/** One part of the bench. What it measures is plain JSON, and the page can be written from it at any later time. */
export interface Section<Figures> {
  readonly title: string;
  measure(scale: Scale): Promise<Figures>;
  render(figures: Figures): string;
}
