// SPDX-License-Identifier: Apache-2.0
/** Runs one command line to its end: errors become a sentence and an exit code. */
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { SextantError } from '@sextant/sdk';
import { serviceFailure } from './connection/service-failure.ts';
import { CommandFailure, EXIT_CODES, type Outcome, sentenceOf } from './failure.ts';
import type { Terminal } from './terminal/terminal.ts';

type Attempt = {
  readonly program: CommandUnknownOpts;
  readonly argv: readonly string[];
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
};

/** @returns the exit code */
export async function run({ program, argv, terminal, signal }: Attempt): Promise<number> {
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT_CODES.ok.code;
  } catch (error) {
    // Commander has said what it had to say; help and version end with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok.code : EXIT_CODES.usage.code;
    const { outcome, message, advice } = signal.aborted && !(error instanceof CommandFailure) ? INTERRUPTED : explained(error);
    terminal.error(message, advice);
    return EXIT_CODES[outcome].code;
  }
}

type Explanation = { readonly outcome: Outcome; readonly message: string; readonly advice: string | undefined };

const INTERRUPTED: Explanation = { outcome: 'interrupted', message: 'interrupted', advice: undefined };

function explained(error: unknown): Explanation {
  if (error instanceof CommandFailure) return error;
  if (error instanceof SextantError) return serviceFailure(error);
  return { outcome: 'failed', message: sentenceOf(error), advice: undefined };
}
