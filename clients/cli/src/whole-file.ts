// SPDX-License-Identifier: Apache-2.0
import { rename, rm } from 'node:fs/promises';
import { CommandFailure, sentenceOf } from './failure.ts';

/** Writes a file beside its place and then renames it, so that nobody meets half a file. */
export async function writeInPlace(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${file}.part`;
  try {
    await write(draft);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    const isOfFiles = error instanceof Error && 'syscall' in error && 'path' in error;
    if (isOfFiles) throw new CommandFailure('bad_data', `${file} cannot be written: ${sentenceOf(error)}`, { cause: error });
    throw error;
  }
}
