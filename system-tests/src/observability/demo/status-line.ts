// SPDX-License-Identifier: Apache-2.0
/** What happens now. On a terminal one line that changes; elsewhere a line when `step` changes, so that a log stays short. */
export type StatusLine = {
  /** `detail` may change often. */
  readonly show: (step: string, detail?: string) => void;
  /** Takes the line away; a log keeps its lines. */
  readonly clear: () => void;
};

export type StatusOutput = { readonly isTTY?: boolean; readonly columns?: number; readonly write: (text: string) => unknown };

const COLUMNS_WITHOUT_A_WIDTH = 80;
const CLEAR_LINE = '\r\x1b[K';

export function statusLine(output: StatusOutput = process.stdout): StatusLine {
  let shown = '';
  return {
    show: (step, detail = '') => {
      const text = output.isTTY === true ? `${step} ${detail}`.trim() : step;
      if (text === shown) return;
      shown = text;
      const width = (output.columns ?? COLUMNS_WITHOUT_A_WIDTH) - 1;
      output.write(output.isTTY === true ? `${CLEAR_LINE}${text.slice(0, width)}` : `${text}\n`);
    },
    clear: () => {
      shown = '';
      if (output.isTTY === true) output.write(CLEAR_LINE);
    },
  };
}
