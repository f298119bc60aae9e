// SPDX-License-Identifier: Apache-2.0
/** Programs of other languages for long tests: found on this machine, and what they need and make put below `.cache`, which git ignores. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** A build may have to load and compile hundreds of packages. */
const TIMEOUT_MS = 3_000_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

export type Place = { readonly directory?: string; readonly environment?: { readonly [name: string]: string } };

/** Why tests with these programs cannot run here; undefined when they can. */
export function missingPrograms(...programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => spawnSync(program, ['--help'], { stdio: 'ignore' }).error !== undefined);
  return missing.length === 0 ? undefined : `${missing.join(' and ')} cannot be run here`;
}

/** Runs a program to its end, answers what it wrote, and throws with that where it fails. */
export async function runProgram(program: string, args: readonly string[], { directory, environment = {} }: Place = {}): Promise<string> {
  try {
    const { stdout, stderr } = await run(program, args, {
      cwd: directory,
      env: { ...process.env, ...environment },
      timeout: TIMEOUT_MS,
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    return stdout + stderr;
  } catch (cause) {
    // What `execFile` rejects with has both outputs.
    const { stdout = '', stderr = '' } = cause as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout.slice(-20_000)}\n${stderr.slice(-20_000)}`, { cause });
  }
}

const UNREACHABLE =
  /dial tcp|no such host|Could not resolve host|failed to download|spurious network error|Unknown host|Could not transfer artifact|Connection refused/i;

/** Why a build cannot be made here; undefined once it is. */
export async function missingAfterBuild(program: string, args: readonly string[], place: Place): Promise<string | undefined> {
  try {
    await runProgram(program, args, place);
    return undefined;
  } catch (error) {
    const { message, cause } = error as Error;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return `${program} is not installed`;
    if (UNREACHABLE.test(message)) return `the registry of ${program} cannot be reached`;
    throw error;
  }
}

/** A folder that stays from one run to the next. */
export function cacheDirectory(name: string): string {
  const directory = resolve(import.meta.dirname, '../../.cache', name);
  mkdirSync(directory, { recursive: true });
  return directory;
}

/** The folder of programs of a virtual environment with these packages; what is there already is kept. */
export async function pythonEnvironment(name: string, requirements: string): Promise<string> {
  const directory = cacheDirectory(name);
  const programs = join(directory, 'bin');
  if (!existsSync(join(programs, 'pip'))) await runProgram('python3', ['-m', 'venv', directory]);
  await runProgram(join(programs, 'pip'), ['install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  return programs;
}

/** A file of Maven Central, such as `org.example:tool:1.0`. */
export async function mavenFile(artifact: string): Promise<string> {
  const [, name = '', version = ''] = artifact.split(':');
  const directory = cacheDirectory('maven');
  const file = join(directory, `${name}-${version}.jar`);
  if (!existsSync(file)) await runProgram('mvn', ['-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${directory}`]);
  return file;
}
