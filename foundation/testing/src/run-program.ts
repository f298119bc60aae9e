// SPDX-License-Identifier: Apache-2.0
/** Runs a program to its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type ProgramOptions = {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whom it runs as; by default the user of this process. */
  readonly uid?: number;
  readonly gid?: number;
};

/** @throws Error with what it wrote when it fails */
export async function runProgram(command: string, args: readonly string[], options: ProgramOptions): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} failed:\n${written}`);
}
