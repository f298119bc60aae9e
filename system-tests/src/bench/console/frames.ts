// SPDX-License-Identifier: Apache-2.0
/** How steadily a page is drawn while somebody scrolls or drags. */
import type { Page } from 'playwright-core';
import { median, ofEachFigure, percentile } from '../statistics.ts';

export type Frames = {
  readonly frames: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Of the frames that a display of 60 Hz would have shown. */
  readonly droppedShare: number;
  readonly longestTaskMs: number;
};

const FRAME_MS = 1000 / 60;

// What runs in the page is a text: its types are not known here.
const START = `(() => {
  const watch = (globalThis.frameWatch = { times: [], tasks: [], running: true });
  watch.observer = new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => watch.tasks.push(duration)));
  watch.observer.observe({ entryTypes: ['longtask'] });
  const note = (time) => {
    watch.times.push(time);
    if (watch.running) requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
})()`;
const STOP = `(() => {
  const { frameWatch: watch } = globalThis;
  watch.running = false;
  watch.observer.takeRecords().forEach(({ duration }) => watch.tasks.push(duration));
  watch.observer.disconnect();
  return { times: watch.times, tasks: watch.tasks };
})()`;

/** The frames of a page while `action` goes on. */
export async function framesDuring(page: Page, action: () => Promise<void>): Promise<Frames> {
  await page.evaluate(START);
  await action();
  const { times, tasks } = await page.evaluate<{ readonly times: readonly number[]; readonly tasks: readonly number[] }>(STOP);
  return framesOf(times, tasks);
}

/** @param times of the frames, in milliseconds, the oldest first */
export function framesOf(times: readonly number[], tasks: readonly number[]): Frames {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / FRAME_MS) - 1), 0);
  return {
    frames: gaps.length,
    medianMs: median(gaps),
    p95Ms: percentile(gaps, 0.95),
    droppedShare: dropped / Math.max(1, dropped + gaps.length),
    longestTaskMs: Math.max(0, ...tasks),
  };
}

/** Of several rounds, the middle of each figure: what else the machine does is in some rounds only. */
export function middleOf(rounds: readonly Frames[]): Frames {
  return ofEachFigure(rounds, median);
}
