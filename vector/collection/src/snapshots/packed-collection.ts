// SPDX-License-Identifier: Apache-2.0
/** Archives in drafts of their own, on their way to another node or into another archive. */
import { open } from 'node:fs/promises';
import type { ArchiveMember } from './snapshot-archive.ts';
import type { Draft, SnapshotFolder } from './snapshot-folder.ts';

/** An archive in a draft of its own. */
export type PackedCollection = { readonly draft: Draft; readonly file: string; readonly bytes: number };

/** Whoever gets the archive disposes of its draft; a failure leaves none. */
export async function packInDraft<Packed extends Omit<PackedCollection, 'draft'>>(
  folder: SnapshotFolder,
  pack: (directory: string) => Promise<Packed>,
): Promise<Packed & PackedCollection> {
  const draft = folder.openDraft();
  try {
    return { ...(await pack(draft.directory)), draft };
  } catch (error) {
    await draft[Symbol.asyncDispose]();
    throw error;
  }
}

/** The archive as a member of another; its draft goes once it is in. */
export async function* asMember(name: string, packed: PackedCollection, folder: SnapshotFolder): AsyncGenerator<ArchiveMember> {
  await using _draft = packed.draft;
  await folder.checkRoom(packed.bytes);
  const file = await open(packed.file, 'r');
  try {
    yield { name, file, bytes: packed.bytes };
  } finally {
    await file.close();
  }
}
