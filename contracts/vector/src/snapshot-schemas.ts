/** Schemas of snapshots and of their recovery. */
import { count, maybe, oneOf, queryFlag, schemaOf, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import type { SnapshotDescription, SnapshotManifest } from './snapshots.ts';

const checksumSchema = Type.String({ pattern: '^[0-9a-fA-F]{64}$', 'x-expected': 'a SHA-256 checksum of 64 hexadecimal digits' });
/** Which data counts where a collection has copies on several machines. There is one copy here: a snapshot replaces what there is. */
const prioritySchema = oneOf('no_sync', 'snapshot', 'replica');

export const snapshotDescriptionSchema = schemaOf<SnapshotDescription>()(
  Type.Object(
    { name: Type.String(), creation_time: Type.String(), size: count, checksum: Type.Union([Type.String(), Type.Null()]) },
    { title: 'SnapshotDescription' },
  ),
);

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

export const snapshotManifestSchema = schemaOf<SnapshotManifest>()(
  strict({
    format: Type.Literal('sextant-collection-snapshot'),
    version: Type.Literal(1),
    collection: Type.String({ maxLength: 1024 }),
    members: Type.Array(strict({ name: Type.String({ maxLength: 64 }), bytes: count, sha256: checksumSchema }), {
      minItems: 1,
      maxItems: 10_000,
    }),
  }),
);
