// SPDX-License-Identifier: Apache-2.0
/** `sextant collections`: what collections there are, what is in them, and their field indexes. */
import { Argument, Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { FIELD_TYPES } from '@sextant/contracts-vector';
import type { CollectionInfo, VectorClient, VectorParams } from '@sextant/sdk';
import { NotFoundError } from '@sextant/sdk';
import { vectorClient } from '../connection/clients.ts';
import { CommandFailure } from '../failure.ts';
import { spacesOf, type VectorSpace } from '../points/vector-spaces.ts';
import type { Shell } from '../shell.ts';
import { count } from '../terminal/figures.ts';
import { jsonObject, repeated, wholeNumber } from './option-values.ts';

export const DISTANCES = ['Cosine', 'Dot', 'Euclid', 'Manhattan'] as const;

export function collectionsCommand(shell: Shell): CommandUnknownOpts {
  return new Command('collections')
    .summary('list, describe, create and delete collections and their field indexes')
    .description('Manages collections of the vector service.')
    .addCommand(listCommand(shell))
    .addCommand(infoCommand(shell))
    .addCommand(createCommand(shell))
    .addCommand(deleteCommand(shell))
    .addCommand(indexesCommand(shell));
}

function listCommand(shell: Shell): Command {
  return new Command('list').description('Lists the collections with their size.').action(async () => {
    const client = await vectorClient(shell);
    const names = await client.listCollections({ signal: shell.signal });
    const found: { readonly name: string; readonly info: CollectionInfo }[] = [];
    for (const name of names) {
      const info = await infoIfThere(client, name, shell.signal);
      if (info !== undefined) found.push({ name, info });
    }
    shell.terminal.result(
      found.map(({ name, info }) => ({ name, status: info.status, points_count: info.points_count, vectors: spacesOf(info) })),
      () =>
        found.length === 0
          ? 'There are no collections. `sextant collections create` creates one.'
          : shell.terminal.table(
              ['name', { title: 'points', align: 'right' }, 'status', 'vectors'],
              found.map(({ name, info }) => [name, count(info.points_count), info.status, spacesOf(info).map(inWords).join('; ')]),
            ),
    );
  });
}

/** Undefined where it was deleted after it was listed. */
async function infoIfThere(client: VectorClient, name: string, signal: AbortSignal): Promise<CollectionInfo | undefined> {
  try {
    return await client.getCollection(name, { signal });
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function inWords({ name, size, distance, kind }: VectorSpace): string {
  const shape = [kind === 'dense' ? undefined : kind, size, distance].filter((part) => part !== undefined).join(' ');
  return name === undefined ? shape : `${name}: ${shape}`;
}

function infoCommand(shell: Shell) {
  return new Command('info')
    .description('Describes one collection.')
    .argument('<collection>', 'its name')
    .action(async (name) => {
      const info = await (await vectorClient(shell)).getCollection(name, { signal: shell.signal });
      const indexes = Object.entries(info.payload_schema).map(
        ([field, { data_type, points }]) => `${field} (${data_type}, ${count(points)} points)`,
      );
      shell.terminal.result({ name, ...info }, () =>
        shell.terminal.table(
          ['property', 'value'],
          [
            ['name', name],
            ['status', info.status],
            ['points', count(info.points_count)],
            ['indexed vectors', count(info.indexed_vectors_count)],
            ['vectors', spacesOf(info).map(inWords).join('; ')],
            ['field indexes', indexes.join('; ')],
            ...(info.warnings ?? []).map(({ message }) => ['warning', message]),
          ],
        ),
      );
    });
}

type NamedParams = { readonly name: string; readonly params: VectorParams };

function createCommand(shell: Shell) {
  return new Command('create')
    .description('Creates a collection with one dense vector or named dense vectors, with sparse vectors, or with both.')
    .argument('<collection>', 'its name')
    .option('--size <n>', 'number of components of the vector', wholeNumber({ min: 1 }))
    .addOption(new Option('--distance <distance>', 'distance by which vectors are compared').choices(DISTANCES).default('Cosine' as const))
    .option('--vector <name=size[:distance]>', 'a named vector; may be repeated', repeated(namedVector))
    .option('--sparse <name>', 'name of a sparse vector, with or without dense vectors; may be repeated', repeated(String))
    .option('--config <json>', 'further members of the request, such as {"hnsw_config": {"m": 32}}', jsonObject)
    .action(async (name, { size, distance, vector, sparse, config }) => {
      const isSparseAlone = sparse !== undefined && size === undefined && vector === undefined;
      const request = {
        ...config,
        vectors: isSparseAlone ? {} : vectorsOf(size, distance, vector ?? []),
        ...(sparse === undefined ? {} : { sparse_vectors: Object.fromEntries(sparse.map((each) => [each, {}])) }),
      };
      const client = await vectorClient(shell);
      await client.createCollection(name, request, { signal: shell.signal });
      shell.terminal.result({ name, created: true }, () => `Created ${name}.`);
    });
}

/** `name=size:distance` */
function namedVector(text: string): {
  readonly name: string;
  readonly size: number;
  readonly distance: VectorParams['distance'] | undefined;
} {
  const [, name, size, word] = /^([^=]+)=(\d+)(?::(\w+))?$/.exec(text) ?? [];
  const distance = DISTANCES.find((known) => known === word);
  if (name !== undefined && Number(size) > 0 && (word === undefined || distance !== undefined))
    return { name, size: Number(size), distance };
  throw new InvalidArgumentError(`Expected name=size:distance, such as text=768:Cosine; the distance is one of ${DISTANCES.join(', ')}.`);
}

function vectorsOf(
  size: number | undefined,
  distance: VectorParams['distance'],
  named: readonly ReturnType<typeof namedVector>[],
): VectorParams | { readonly [name: string]: VectorParams } {
  if ((size === undefined) === (named.length === 0)) {
    throw new CommandFailure(
      'usage',
      'pass either --size for one vector, --vector for named vectors, or --sparse for sparse vectors only',
      {
        advice: 'For example --size 768, or --vector title=384 --vector image=512:Euclid, or --sparse words.',
      },
    );
  }
  if (size !== undefined) return { size, distance };
  const params = named.map(
    (vector): NamedParams => ({ name: vector.name, params: { size: vector.size, distance: vector.distance ?? distance } }),
  );
  return Object.fromEntries(params.map((vector) => [vector.name, vector.params]));
}

function deleteCommand(shell: Shell) {
  return new Command('delete')
    .description('Deletes a collection and all its points.')
    .argument('<collection>', 'its name')
    .option('--yes', 'delete it; without this option, the command only says what it would delete')
    .action(async (name, { yes }) => {
      const client = await vectorClient(shell);
      const { points_count: points } = await client.getCollection(name, { signal: shell.signal });
      if (yes !== true) {
        throw new CommandFailure('usage', `this would delete ${name} with its ${count(points)} points`, {
          advice: 'Pass --yes to delete it.',
        });
      }
      const deleted = await client.deleteCollection(name, { signal: shell.signal });
      shell.terminal.result({ name, deleted }, () => `Deleted ${name} with its ${count(points)} points.`);
    });
}

function indexesCommand(shell: Shell) {
  return new Command('indexes')
    .description('Manages field indexes, which make filters on payload keys fast.')
    .addCommand(
      new Command('list')
        .description('Lists the field indexes of a collection.')
        .argument('<collection>', 'its name')
        .action(async (name) => {
          const { payload_schema: schema } = await (await vectorClient(shell)).getCollection(name, { signal: shell.signal });
          const rows = Object.entries(schema).map(([field, { data_type, points }]) => ({ field, type: data_type, points }));
          shell.terminal.result(rows, () =>
            shell.terminal.table(
              ['field', 'type', { title: 'points', align: 'right' }],
              rows.map(({ field, type, points }) => [field, type, count(points)]),
            ),
          );
        }),
    )
    .addCommand(
      new Command('create')
        .description('Indexes a payload key.')
        .argument('<collection>', 'its name')
        .argument('<field>', 'the payload key, such as author.name')
        .addArgument(new Argument('<type>', 'type of the values').choices(FIELD_TYPES))
        .action(async (name, field, type) => {
          await (await vectorClient(shell)).collection(name).createFieldIndex(field, type, { signal: shell.signal });
          shell.terminal.result({ field, type, created: true }, () => `Indexed ${field} of ${name} as ${type}.`);
        }),
    )
    .addCommand(
      new Command('delete')
        .description('Deletes a field index; payloads are kept.')
        .argument('<collection>', 'its name')
        .argument('<field>', 'the payload key')
        .action(async (name, field) => {
          await (await vectorClient(shell)).collection(name).deleteFieldIndex(field, { signal: shell.signal });
          shell.terminal.result({ field, deleted: true }, () => `Deleted the index of ${field} of ${name}.`);
        }),
    );
}
