// SPDX-License-Identifier: Apache-2.0
/**
 * Runs both services as processes of their own: their logs on standard output, which address is which on standard error. They start
 * outside of this terminal's process group, so that Ctrl-C reaches them once, through here: a second signal would end them at once.
 * The IPC channel to each tells it when this process ends, in whatever way; then it ends too.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onLauncherEnd, outliveOutput } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { argumentsByService, environmentOfBoth, type ServiceProgram, services } from './services.ts';

type Running = { readonly program: ServiceProgram; readonly child: ChildProcess };

const shares = argumentsByService(process.argv.slice(2), services);
const env = await environmentOfBoth(process.env, shares);
const isHelp = process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h');
const running: readonly Running[] = services.map((program, index) => ({ program, child: start(program, shares[index] ?? []) }));
let stopping = false;

outliveOutput();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
onLauncherEnd(() => stop('SIGHUP'), systemClock);

for (const { program, child } of running) {
  child.once('error', (error) => say(`the ${program.name} service could not be started: ${error.message}`));
  child.once('close', (code, signal) => {
    if (!stopping && !isHelp) say(`the ${program.name} service ended (${signal ?? `exit code ${code}`}); ending the other`);
    if (code !== 0) process.exitCode = 1;
    if (!isHelp && !stopping) stop('SIGTERM');
  });
}

/** A second SIGINT or SIGTERM ends the services at once. */
function stop(signal: NodeJS.Signals): void {
  stopping = true;
  for (const { child } of running) if (child.exitCode === null && child.signalCode === null) child.kill(signal);
}

function start({ name, entry, environment }: ServiceProgram, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  });
  if (child.stdout === null) return child;
  createInterface({ input: child.stdout }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    const address = /"address":"([^"]+)".*"msg":"listening"/.exec(line)?.[1];
    if (address !== undefined) say(`the ${name} service listens on ${address}`);
  });
  return child;
}

function say(sentence: string): void {
  process.stderr.write(`sextant: ${sentence}\n`);
}
