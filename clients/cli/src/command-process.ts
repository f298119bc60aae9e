// SPDX-License-Identifier: Apache-2.0
/** One command as a process: signals and exit code. */
import { EXIT_CODES } from './failure.ts';
import { processProgram } from './process-program.ts';
import { run } from './run.ts';

const interruption = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(EXIT_CODES.interrupted.code);
    interruption.abort(new Error('interrupted'));
  });
}

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT_CODES.ok.code : EXIT_CODES.failed.code),
);

const { program, terminal, exitCode } = processProgram(interruption.signal);
const ended = await run({ program, argv: process.argv.slice(2), terminal, signal: interruption.signal });
process.exitCode = ended === EXIT_CODES.ok.code ? exitCode() : ended;
