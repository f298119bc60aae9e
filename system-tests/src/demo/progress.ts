// SPDX-License-Identifier: Apache-2.0
/** One line that fills up on a terminal; elsewhere a line each 10 %, so that a log stays short. */
export type Progress = { readonly advance: (count: number) => void };

const BAR_WIDTH = 30;
const REDRAW_MS = 100;

export function progress(label: string, total: number, output: NodeJS.WriteStream = process.stdout): Progress {
  const startedMs = performance.now();
  let done = 0;
  let drawnMs = 0;
  let drawnTenths = 0;
  const rate = () => Math.round((done * 1000) / Math.max(1, performance.now() - startedMs));
  const text = () => `${label} ${done}/${total} (${rate()}/s)`;
  const drawBar = () => {
    const filled = Math.round((BAR_WIDTH * done) / total);
    output.write(`\r${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${text()}\x1b[K${done === total ? '\n' : ''}`);
  };
  return {
    advance: (count) => {
      done += count;
      const nowMs = performance.now();
      const tenths = Math.floor((10 * done) / total);
      if (output.isTTY && (done === total || nowMs - drawnMs >= REDRAW_MS)) {
        drawnMs = nowMs;
        drawBar();
      } else if (!output.isTTY && tenths > drawnTenths) {
        drawnTenths = tenths;
        output.write(`${text()}\n`);
      }
    },
  };
}
