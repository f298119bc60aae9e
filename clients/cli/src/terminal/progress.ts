// SPDX-License-Identifier: Apache-2.0
/** How far a long work is: on a terminal one line that changes, elsewhere a line now and then, so that a log stays short and short work says nothing. */
import type { Clock } from '@sextant/foundation-std';
import { firstCharacters } from './characters.ts';
import { count, duration } from './figures.ts';

export type ProgressStream = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };

export type Progress = {
  /** @param share of the work that is done, 0 to 1; undefined where nobody knows how much there is */
  readonly show: (figures: { readonly done: number; readonly share: number | undefined; readonly note?: string }) => void;
  /** Ends the line, if there is one. */
  readonly end: () => void;
};

const BAR_WIDTH = 24;
const COLUMNS_WITHOUT_A_WIDTH = 80;
const REDRAW_MS = 100;
const LOG_MS = 10_000;
const CLEAR_LINE = '\r\u001b[K';

/** @param unit what is counted, such as `points` */
export function createProgress(
  stream: ProgressStream,
  clock: Clock,
  { label, unit, from = 0 }: { label: string; unit: string; from?: number },
): Progress {
  const startedMs = clock.monotonicMs();
  let drawnMs = Number.NEGATIVE_INFINITY;
  let loggedMs = startedMs;
  let isDrawn = false;
  const text = (done: number, share: number | undefined, note: string | undefined) => {
    const seconds = Math.max(0.001, (clock.monotonicMs() - startedMs) / 1000);
    const rate = Math.round((done - from) / seconds);
    const left = share === undefined || share <= 0 || share >= 1 ? undefined : (seconds / share) * (1 - share);
    const parts = [`${label} ${count(done)} ${unit}`, `${count(rate)}/s`, left === undefined ? undefined : `${duration(left)} left`, note];
    return parts.filter((part) => part !== undefined && part !== '').join(', ');
  };
  return {
    show({ done, share, note }) {
      const nowMs = clock.monotonicMs();
      const isWhole = share !== undefined && share >= 1;
      if (stream.isTTY === true) {
        if (!isWhole && nowMs - drawnMs < REDRAW_MS) return;
        const bar = share === undefined ? '' : `${barOf(share)} ${String(Math.floor(share * 100)).padStart(3)}% `;
        stream.write(CLEAR_LINE + firstCharacters(bar + text(done, share, note), (stream.columns ?? COLUMNS_WITHOUT_A_WIDTH) - 1));
        isDrawn = true;
        drawnMs = nowMs;
        return;
      }
      if (nowMs - loggedMs < LOG_MS) return;
      loggedMs = nowMs;
      stream.write(`${share === undefined ? '' : `${Math.floor(share * 100)}% `}${text(done, share, note)}\n`);
    },
    end() {
      if (isDrawn) stream.write('\n');
      isDrawn = false;
    },
  };
}

function barOf(share: number): string {
  const filled = Math.round(BAR_WIDTH * Math.min(1, Math.max(0, share)));
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
}
