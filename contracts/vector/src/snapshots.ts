/** Snapshots: files with everything of a collection, or of all. */

/** One snapshot as it is listed. */
export type SnapshotDescription = {
  readonly name: string;
  /** UTC, without a zone, as clients of this API family expect it. */
  readonly creation_time: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of the file, in hexadecimal digits; null where the file was put into the folder by hand. */
  readonly checksum: string | null;
};

/** The last member of a snapshot's archive: what the others are, so that a file that was cut or changed is known as such. */
export type SnapshotManifest = {
  readonly format: 'sextant-collection-snapshot';
  readonly version: 1;
  readonly collection: string;
  readonly members: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
};

/** Names are given by the server; whatever else a path holds is no snapshot of ours. */
const SNAPSHOT_NAME = /^[A-Za-z0-9_-][\w.-]{0,199}\.snapshot$/;

/** What a snapshot of a collection holds beside its manifest: the data, and saved graphs. */
const SNAPSHOT_MEMBER = /^(?:data\.mdb|graph-\d{1,5}(?:-\d{1,10})?\.bin)$/;

export function isSnapshotMember(name: string): boolean {
  return SNAPSHOT_MEMBER.test(name);
}

export function isSnapshotName(name: string): boolean {
  return SNAPSHOT_NAME.test(name);
}
