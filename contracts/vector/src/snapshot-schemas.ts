// SPDX-License-Identifier: Apache-2.0
/** Schemas of snapshots and of their recovery. */
import { count, maybe, oneOf, queryFlag, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { shardKeySchema } from './shard-key-schemas.ts';

const checksumSchema = Type.String({ pattern: '^[0-9a-fA-F]{64}$', 'x-expected': 'a SHA-256 checksum of 64 hexadecimal digits' });
/** Which data counts where a collection has copies on several machines. There is one copy here: a snapshot replaces what there is. */
const prioritySchema = oneOf('no_sync', 'snapshot', 'replica');

export const snapshotDescriptionSchema = Type.Object(
  {
    name: Type.String(),
    /** UTC, without a zone, as clients of this API family expect it. */
    creation_time: Type.String(),
    /** In bytes. */
    size: count,
    /** SHA-256 of the file, in hexadecimal digits; null where the file was put into the folder by hand. */
    checksum: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'SnapshotDescription' },
);
/** One snapshot as it is listed. */
export type SnapshotDescription = Static<typeof snapshotDescriptionSchema>;

export const recoverSchema = strict(
  {
    location: Type.String({
      minLength: 1,
      maxLength: 8192,
      'x-written': Type.String({ pattern: '^(?:file|https?)://', maxLength: 8192 }),
    }),
    priority: maybe(prioritySchema),
    checksum: maybe(checksumSchema),
    api_key: maybe(Type.String({ maxLength: 4096 })),
  },
  { title: 'SnapshotRecover' },
);

export const recoverNamedSchema = strict(
  { priority: maybe(prioritySchema), checksum: maybe(checksumSchema) },
  { title: 'SnapshotRecoverNamed' },
);

export const waitQuery = strict({ wait: Type.Optional(queryFlag) });

export const uploadQuery = strict({
  wait: Type.Optional(queryFlag),
  priority: Type.Optional(prioritySchema),
  checksum: Type.Optional(checksumSchema),
});

/** What a server makes of an upload once it has received it: the file that it was put into. */
export const receivedSnapshotSchema = strict({
  file: Type.String(),
  checksum: Type.String(),
});

const membersSchema = Type.Array(strict({ name: Type.String({ maxLength: 64 }), bytes: count, sha256: checksumSchema }), {
  minItems: 1,
  maxItems: 10_000,
});

export const snapshotManifestSchema = strict({
  format: Type.Literal('sextant-collection-snapshot'),
  /** 2 has checksums in the records of its points, which builds that write 1 cannot read; both are read. */
  version: Type.Union([Type.Literal(1), Type.Literal(2)]),
  collection: Type.String({ maxLength: 1024 }),
  members: membersSchema,
});
/** The last member of a snapshot's archive: what the others are, so that a file that was cut or changed is known as such. */
export type SnapshotManifest = Static<typeof snapshotManifestSchema>;

export const shardedSnapshotManifestSchema = strict({
  format: Type.Literal('sextant-sharded-snapshot'),
  version: Type.Literal(1),
  collection: Type.String({ maxLength: 1024 }),
  members: membersSchema,
});
/** The same of a collection in shards, whose members are snapshots of the shards. */
export type ShardedSnapshotManifest = Static<typeof shardedSnapshotManifestSchema>;

const shardsOfKey = Type.Integer({ minimum: 1, maximum: 10_000 });
const snapshotKeySchema = strict({
  key: shardKeySchema,
  shards: shardsOfKey,
  /** How many nodes had each of them. */
  replicas: shardsOfKey,
});
/** A shard key as a snapshot has it. */
export type SnapshotKey = Static<typeof snapshotKeySchema>;

export const keyedSnapshotManifestSchema = strict({
  format: Type.Literal('sextant-keyed-snapshot'),
  version: Type.Literal(1),
  collection: Type.String({ maxLength: 1024 }),
  /** In the order in which they were made; the shards of the first key have the first numbers. */
  keys: Type.Array(snapshotKeySchema, { maxItems: 10_000 }),
  members: membersSchema,
});
/** The same of a collection whose points keys divide: a member has the collection without points, and the others are snapshots of the keys' shards. */
export type KeyedSnapshotManifest = Static<typeof keyedSnapshotManifestSchema>;
