// SPDX-License-Identifier: Apache-2.0
/** The program on this process's streams, environment and clock. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { systemClock } from '@sextant/foundation-std';
import { EXIT_CODES } from './failure.ts';
import { createProgram } from './program.ts';
import type { Shell } from './shell.ts';
import { createTerminal, type Terminal } from './terminal/terminal.ts';

export type ProcessProgram = {
  readonly program: CommandUnknownOpts;
  readonly terminal: Terminal;
  /** Of a command that ran to its end. */
  readonly exitCode: () => number;
};

export function processProgram(signal: AbortSignal): ProcessProgram {
  const { stdout, stderr, env } = process;
  let flags: Shell['flags'] | undefined;
  let exitCode: number = EXIT_CODES.ok.code;
  const terminal = createTerminal({ streams: { stdout, stderr }, clock: systemClock, asJson: () => flags?.().json === true });
  const program = createProgram((read) => {
    flags = read;
    return {
      terminal,
      environment: env,
      clock: systemClock,
      signal,
      flags: read,
      setExitCode: (code) => {
        exitCode = code;
      },
    };
  });
  return { program, terminal, exitCode: () => exitCode };
}
