// SPDX-License-Identifier: Apache-2.0
/**
 * How far an import has come, in a file beside the data, so that the same command goes on after a Ctrl-C, a refusal or a kill. It is written after each
 * acknowledged batch, by rename, so it is whole or the one before. Rows without ids get their row number, so a batch that had arrived unnoticed is
 * written again as the same points.
 */
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { refusalOf, strict } from '@sextant/foundation-contract';
import Type, { type Static } from 'typebox';
import { CommandFailure, sentenceOf } from '../failure.ts';

const stateSchema = strict({
  version: Type.Literal(1),
  /** What is imported and whereto; an import goes on only where all of it is as it was. */
  job: strict({
    files: Type.Array(strict({ path: Type.String(), bytes: Type.Integer(), modified_ms: Type.Number() })),
    url: Type.String(),
    collection: Type.String(),
    mapping: Type.String(),
  }),
  rows: Type.Integer({ minimum: 0 }),
});

type State = Static<typeof stateSchema>;
export type ImportJob = State['job'];

export type ImportState = {
  /** Rows that are in. */
  readonly rows: number;
  save(rows: number): Promise<void>;
  /** The import is complete. */
  remove(): Promise<void>;
};

/** Reads the state at `path`, or begins one. @param restart forgets what is there */
export async function openImportState(path: string, job: ImportJob, restart: boolean): Promise<ImportState> {
  const known = restart ? undefined : await readState(path);
  if (known !== undefined) refuseOther(path, known.job, job);
  return {
    rows: known?.rows ?? 0,
    save: (rows) => writeState(path, { version: 1, job, rows }),
    remove: () => rm(path, { force: true }),
  };
}

/** A file as the state knows it. */
export async function fileIdentity(path: string): Promise<ImportJob['files'][number]> {
  const { size, mtimeMs } = await stat(path);
  return { path: resolve(path), bytes: size, modified_ms: mtimeMs };
}

async function readState(path: string): Promise<State | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new CommandFailure('bad_data', `the state file ${path} cannot be read: ${sentenceOf(error)}`);
  }
  const advice = 'Pass --restart to start over.';
  try {
    const state: unknown = JSON.parse(text);
    const refusal = refusalOf(stateSchema, state, 'the file');
    if (refusal === undefined) return state as State;
    throw new CommandFailure('bad_data', `${path} is not the state file of an import: ${refusal.sentence}`, { advice });
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure('bad_data', `${path} is not the state file of an import: ${sentenceOf(error)}`, { advice });
  }
}

function refuseOther(path: string, known: ImportJob, job: ImportJob): void {
  const reason =
    known.url !== job.url || known.collection !== job.collection
      ? `writes to ${known.collection} at ${known.url}`
      : known.mapping !== job.mapping
        ? 'maps columns differently'
        : JSON.stringify(known.files) === JSON.stringify(job.files)
          ? undefined
          : 'reads other files, or the files have changed since';
  if (reason === undefined) return;
  throw new CommandFailure('usage', `${path} is the state file of an unfinished import that ${reason}`, {
    advice: 'Pass --restart to start over, or --state with another file to keep both.',
  });
}

async function writeState(path: string, state: State): Promise<void> {
  const draft = `${path}.draft`;
  try {
    await writeFile(draft, `${JSON.stringify(state)}\n`);
    await rename(draft, path);
  } catch (cause) {
    throw new CommandFailure('bad_data', `the state file ${path} cannot be written: ${sentenceOf(cause)}`, {
      advice: 'Pass --state with a file that can be written, or --no-state to run without one.',
      cause,
    });
  }
}
