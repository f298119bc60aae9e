/** Programs of other languages for long tests: found on this machine, and what they need put below `.cache`. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = resolve(import.meta.dirname, '../../../.cache');
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Why tests with these programs cannot run here; undefined when they can. */
export function missingPrograms(...programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => spawnSync(program, ['--help'], { stdio: 'ignore' }).error !== undefined);
  return missing.length === 0 ? undefined : `${missing.join(' and ')} cannot be run here`;
}

/** Runs a program to its end, answers what it wrote, and throws with that where it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { directory, environment = {} }: { readonly directory?: string; readonly environment?: { readonly [name: string]: string } } = {},
): Promise<string> {
  try {
    const { stdout, stderr } = await run(program, args, {
      cwd: directory,
      env: { ...process.env, ...environment },
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    return stdout + stderr;
  } catch (cause) {
    // What `execFile` rejects with has both outputs.
    const { stdout = '', stderr = '' } = cause as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout.slice(-20_000)}\n${stderr.slice(-20_000)}`, { cause });
  }
}

/** The folder of programs of a virtual environment with these packages; what is there already is kept. */
export async function pythonEnvironment(name: string, requirements: string): Promise<string> {
  const directory = join(CACHE, name);
  const programs = join(directory, 'bin');
  if (!existsSync(join(programs, 'pip'))) await runProgram('python3', ['-m', 'venv', directory]);
  await runProgram(join(programs, 'pip'), ['install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  return programs;
}

/** A file of Maven Central, such as `org.example:tool:1.0`. */
export async function mavenFile(artifact: string): Promise<string> {
  const [, name = '', version = ''] = artifact.split(':');
  const directory = join(CACHE, 'maven');
  const file = join(directory, `${name}-${version}.jar`);
  mkdirSync(directory, { recursive: true });
  if (!existsSync(file)) await runProgram('mvn', ['-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${directory}`]);
  return file;
}
