// SPDX-License-Identifier: Apache-2.0
/** A command that runs to its end in the process of a test, with streams and an environment of its own: starting a process takes longer than most commands. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EXIT_CODES } from '../failure.ts';
import { processProgram } from '../process-program.ts';
import { run } from '../run.ts';

export type CommandRun = { readonly code: number; readonly stdout: string; readonly stderr: string };

export async function runCommand(argv: readonly string[], env: { readonly [name: string]: string }): Promise<CommandRun> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(stdout), text(stderr)]);
  const { signal } = new AbortController();
  const { program, terminal, exitCode } = processProgram(signal, { stdout, stderr, env: { ...env } });
  const ended = await run({ program, argv, terminal, signal });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code: ended === EXIT_CODES.ok.code ? exitCode() : ended, stdout: out, stderr: err };
}
