// SPDX-License-Identifier: Apache-2.0
/** The command line: as a person has it, a process of its own, and in the process of the test, which takes a tenth of that. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type CommandRun, runCommand } from '@sextant/cli/command-for-tests';

/** What `npm exec -- sextant` runs in this repository. */
const SOURCE_PROGRAM = fileURLToPath(new URL('../../../clients/cli/bin/sextant.mjs', import.meta.url));
/** In tests that of the bundle, see `tools/bundle/for-tests.ts`. */
export const PROGRAM = process.env.SEXTANT_PROGRAM ?? SOURCE_PROGRAM;

export type Run = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type Environment = { readonly [name: string]: string };

/** Nothing of this machine's own settings reaches the program. */
export function environmentOf(home: string, more: Environment = {}): Environment {
  return { PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1', ...more };
}

export type Started = {
  readonly child: ChildProcess;
  readonly ended: Promise<Run>;
  readonly stdout: () => string;
  readonly stderr: () => string;
};

export function startSextant(args: readonly string[], environment: Environment, program = PROGRAM): Started {
  const child = spawn(process.execPath, [program, ...args], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Run>((resolve) => {
    child.once('close', (code, signal) => {
      process.off('exit', killWithUs);
      resolve({ code, signal, stdout, stderr });
    });
  });
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

/** As a process, for what Node.js reads of its environment, signals, and commands that start others. */
export function sextantProcess(args: readonly string[], environment: Environment, program = PROGRAM): Promise<Run> {
  return startSextant(args, environment, program).ended;
}

export function sextant(args: readonly string[], environment: Environment): Promise<CommandRun> {
  return runCommand(args, environment);
}
