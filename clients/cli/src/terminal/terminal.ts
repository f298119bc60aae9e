// SPDX-License-Identifier: Apache-2.0
/**
 * What a command says. Results go to standard output, as a table or text for people or as JSON for programs; everything else (progress, hints,
 * what was done) goes to standard error, so that a pipe carries results alone.
 */
import { once } from 'node:events';
import { styleText } from 'node:util';
import { type Clock, stringifyJson } from '@sextant/foundation-std';
import { printable } from './printable.ts';
import { createProgress, type Progress } from './progress.ts';
import { type Cell, type TableColumn, tableLines } from './table.ts';

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

export type TerminalStreams = { readonly stdout: Stream; readonly stderr: Stream };

export type Terminal = {
  /** The result: `value` with `--json`, else what `text` gives. Big integers keep their digits. */
  readonly result: (value: unknown, text: () => string) => void;
  readonly table: (columns: readonly TableColumn[], rows: readonly (readonly Cell[])[]) => string;
  /** A line of a stream of results; waits while the reader is behind. */
  readonly write: (text: string | Uint8Array) => Promise<void>;
  /** A sentence for the person, on standard error. */
  readonly note: (sentence: string) => void;
  readonly warn: (sentence: string) => void;
  readonly error: (message: string, advice?: string) => void;
  readonly progress: (options: { readonly label: string; readonly unit: string; readonly from?: number }) => Progress;
};

export type TerminalOptions = { readonly streams: TerminalStreams; readonly clock: Clock; readonly asJson: () => boolean };

export function createTerminal({ streams: { stdout, stderr }, clock, asJson }: TerminalOptions): Terminal {
  const say = (text: string) => stderr.write(`${text}\n`);
  return {
    result: (value, text) => void stdout.write(`${asJson() ? stringifyJson(value) : printable(text())}\n`),
    table: (columns, rows) => tableLines(columns, rows, stdout.isTTY ? stdout.columns : undefined).join('\n'),
    write: async (text) => {
      if (!stdout.write(text)) await once(stdout, 'drain');
    },
    note: (sentence) => void say(printable(sentence)),
    // `styleText` honours NO_COLOR, FORCE_COLOR and whether the stream is a terminal.
    warn: (sentence) => void say(`${styleText('yellow', 'warning:', { stream: stderr })} ${printable(sentence)}`),
    error: (message, advice) => {
      say(`${styleText('red', 'error:', { stream: stderr })} ${printable(message)}`);
      if (advice !== undefined) say(`  ${printable(advice)}`);
    },
    progress: (options) => createProgress(stderr, clock, options),
  };
}
