/** Builds and runs programs in other languages; what their tools need comes from their registries, and what they make stays in the cache folder. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A build may have to load and compile hundreds of packages. */
const BUILD_MS = 3_000_000;
const RUN_MS = 300_000;
const OUTPUT_BYTES = 64 * 1024 * 1024;

export type Step = {
  readonly command: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment?: { readonly [name: string]: string };
};

/** Where a client's build keeps what it makes; ignored by git. */
export async function buildDirectory(client: string): Promise<string> {
  const directory = resolve(import.meta.dirname, '../../../.cache/clients', client);
  await mkdir(directory, { recursive: true });
  return directory;
}

/** Why a client cannot be built here; undefined once it is. */
export async function missingAfterBuild({ command, args, directory, environment }: Step): Promise<string | undefined> {
  try {
    await run(command, args, { cwd: directory, env: { ...process.env, ...environment }, timeout: BUILD_MS, maxBuffer: OUTPUT_BYTES });
    return undefined;
  } catch (error) {
    if (isMissing(error)) return `${command} is not installed`;
    const said = outputOf(error);
    if (UNREACHABLE.test(said)) return `the registry of ${command} cannot be reached`;
    throw new Error(`${command} ${args.join(' ')} failed:\n${said.slice(-4000)}`, { cause: error });
  }
}

const UNREACHABLE =
  /dial tcp|no such host|Could not resolve host|failed to download|spurious network error|Unknown host|Could not transfer artifact|Connection refused/i;

/** What the program prints; throws with it where the program ends in failure. */
export async function runProgram({ command, args, directory, environment }: Step): Promise<string> {
  try {
    const { stdout, stderr } = await run(command, args, { cwd: directory, env: { ...process.env, ...environment }, timeout: RUN_MS });
    return stdout + stderr;
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')} failed:\n${outputOf(error).slice(-4000)}`, { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function outputOf(error: unknown): string {
  const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
  return `${stdout}${stderr}${stdout + stderr === '' ? String(error) : ''}`;
}
