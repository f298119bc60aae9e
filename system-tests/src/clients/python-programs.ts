// SPDX-License-Identifier: Apache-2.0
/** Runs the programs in `python/`, which call the published clients of Python; what they need is in a virtual environment that `.ci/run` makes. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ChildServer, temporaryDirectory } from '@sextant/foundation-testing';
import { grpcAddressOf } from '../vector-server.ts';

const ENVIRONMENT = fileURLToPath(new URL('../../../.cache/python-clients', import.meta.url));
const SOURCES = fileURLToPath(new URL('python/', import.meta.url));
const PYTHON = `${ENVIRONMENT}/bin/python`;

/** Why none of them can run here. */
export const missingPythonClients = existsSync(`${ENVIRONMENT}/installed`)
  ? undefined
  : ' (skipped: .ci/run makes the environment of the Python clients, which needs Python and PyPI)';

/** On a busy machine the imports alone of some frameworks take a minute. */
export const PYTHON_TIMEOUT_MS = 1_200_000;

/** What a program found, by the manner of its calls. */
export type PythonVerdict = { readonly passed: readonly string[]; readonly failed: { readonly [step: string]: string } };

type Outcome = { readonly printed: string } | { readonly failed: string };

export type PythonOutcomes = { printedBy(program: string): string };

/**
 * Runs all programs in one interpreter beside one service, each manner of a program at the next of its nodes.
 * @param programs in the folder, or anywhere with their whole path; each with its arguments after commas
 * @param manners of the calls; all that a program knows where none are named
 */
export async function runPythonPrograms(
  nodes: readonly ChildServer[],
  programs: readonly string[],
  manners?: readonly string[],
): Promise<PythonOutcomes> {
  await using home = await temporaryDirectory();
  const addresses = nodes.map(({ address }) => address).join();
  const grpcPorts = nodes.map((node) => new URL(grpcAddressOf(node)).port).join();
  const paths = programs.map((program) => (isAbsolute(program) ? program : join(SOURCES, program)));
  const { stdout } = await promisify(execFile)(PYTHON, [join(SOURCES, 'programs.py'), addresses, grpcPorts, ...paths], {
    timeout: PYTHON_TIMEOUT_MS,
    maxBuffer: 10_000_000,
    // What is compiled stays out of the sources.
    env: {
      PATH: process.env.PATH,
      HOME: home.path,
      PYTHONPYCACHEPREFIX: `${ENVIRONMENT}/compiled`,
      ...(manners && { MANNERS: manners.join() }),
    },
  });
  const outcomes = JSON.parse(stdout) as { readonly [program: string]: Outcome };
  return {
    printedBy: (program) => {
      const outcome = outcomes[program];
      if (outcome === undefined) throw new Error(`${program} did not run`);
      if ('failed' in outcome) throw new Error(`${program} failed: ${outcome.failed}`);
      return outcome.printed;
    },
  };
}
