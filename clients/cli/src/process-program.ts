// SPDX-License-Identifier: Apache-2.0
/** The program on streams, an environment and the clock: those of this process, as a rule. */
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

export type Surroundings = Pick<NodeJS.Process, 'env'> & { readonly stdout: NodeJS.WritableStream; readonly stderr: NodeJS.WritableStream };

export function processProgram(signal: AbortSignal, { stdout, stderr, env }: Surroundings = process): ProcessProgram {
  let flags: Shell['flags'] | undefined;
  let exitCode: number = EXIT_CODES.ok.code;
  const terminal = createTerminal({ streams: { stdout, stderr }, clock: systemClock, asJson: () => flags?.().json === true });
  const output = { writeOut: (text: string) => void stdout.write(text), writeErr: (text: string) => void stderr.write(text) };
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
  }, output);
  return { program, terminal, exitCode: () => exitCode };
}
