/** Every call of the protocol that has an operation: how its request is read, and how the result is answered. */
import { type DescMessage, fromBinary, type Message } from '@bufbuild/protobuf';
import { services } from '@sextant/contracts-protocol';
import { type OperationId, ServiceError } from '@sextant/contracts-vector';
import * as answers from './answers.ts';
import * as collections from './collection-answers.ts';
import { type Members, MessageReader } from './message-reader.ts';
import { readingRules, selecting, withoutMeaning } from './reading-rules.ts';
import * as snapshots from './snapshot-answers.ts';

/** What an operation is given, as if it had come by REST. */
export type CallInput = {
  readonly params: { readonly [name: string]: string };
  /** What REST has in its query string, as far as it means something. */
  readonly query: { readonly [name: string]: string };
  readonly body: unknown;
};

export type Call = {
  readonly operation: OperationId;
  /** What the members of the request are to REST. */
  readonly input: (members: Members) => CallInput;
  /** @param result of the operation, parsed; @param time in seconds */
  readonly answer: (result: never, time: number) => Message;
};

type Answer = Call['answer'];

const table: { readonly [method: string]: Call } = {
  'qdrant.Collections/Get': ofCollection('get_collection', collections.described),
  'qdrant.Collections/List': ofNothing('list_collections', collections.listed),
  'qdrant.Collections/Create': ofCollection('create_collection', collections.operated, vectorsRenamed),
  'qdrant.Collections/Update': ofCollection('update_collection', collections.operated, vectorsRenamed),
  'qdrant.Collections/Delete': ofCollection('delete_collection', collections.operated),
  'qdrant.Collections/CollectionExists': ofCollection('collection_exists', collections.existing),

  'qdrant.Collections/UpdateAliases': {
    operation: 'change_aliases',
    input: ({ actions }) => ({ params: {}, query: {}, body: { actions } }),
    answer: collections.operated,
  },
  'qdrant.Collections/ListAliases': ofNothing('list_aliases', collections.aliased),
  'qdrant.Collections/ListCollectionAliases': ofCollection('list_collection_aliases', collections.aliased),

  'qdrant.Snapshots/Create': ofCollection('create_snapshot', snapshots.created),
  'qdrant.Snapshots/List': ofCollection('list_snapshots', snapshots.listed),
  'qdrant.Snapshots/Delete': ofSnapshot('delete_snapshot'),
  'qdrant.Snapshots/CreateFull': ofNothing('create_full_snapshot', snapshots.created),
  'qdrant.Snapshots/ListFull': ofNothing('list_full_snapshots', snapshots.listed),
  'qdrant.Snapshots/DeleteFull': ofSnapshot('delete_full_snapshot'),

  'qdrant.Points/Upsert': ofCollection('upsert_points', answers.updated, (members) => members),
  'qdrant.Points/Delete': ofCollection('delete_points', answers.updated, selected),
  'qdrant.Points/Get': ofCollection('retrieve_points', answers.retrieved, (members) => members),
  'qdrant.Points/UpdateVectors': ofCollection('update_vectors', answers.updated, (members) => members),
  'qdrant.Points/DeleteVectors': ofCollection('delete_vectors', answers.updated, selecting),
  'qdrant.Points/SetPayload': ofCollection('set_payload', answers.updated, (members) => ({ payload: {}, ...selecting(members) })),
  'qdrant.Points/OverwritePayload': ofCollection('overwrite_payload', answers.updated, (members) => ({
    payload: {},
    ...selecting(members),
  })),
  'qdrant.Points/DeletePayload': ofCollection('delete_payload', answers.updated, selecting),
  'qdrant.Points/ClearPayload': ofCollection('clear_payload', answers.updated, selected),
  'qdrant.Points/CreateFieldIndex': ofCollection('create_field_index', answers.updated, fieldIndex),
  'qdrant.Points/DeleteFieldIndex': {
    operation: 'delete_field_index',
    input: (members) => ({ params: { ...collectionOf(members), field_name: String(members.field_name) }, query: {}, body: undefined }),
    answer: answers.updated,
  },
  'qdrant.Points/CreateVectorName': ofVector('create_vector', ({ dense_config: dense, sparse_config: sparse }) => ({
    ...(dense === undefined ? {} : { dense }),
    ...(sparse === undefined ? {} : { sparse }),
  })),
  'qdrant.Points/DeleteVectorName': ofVector('delete_vector', () => undefined),
  'qdrant.Points/UpdateBatch': ofCollection('batch_update', answers.updatedAll, (members) => members),
  'qdrant.Points/Search': ofCollection('search_points', answers.searched, (members) => members),
  'qdrant.Points/SearchBatch': ofCollection('search_batch', answers.searchedAll, ({ search_points: searches }) => ({ searches })),
  'qdrant.Points/Query': ofCollection('query_points', answers.queried, (members) => members),
  'qdrant.Points/QueryBatch': ofCollection('query_batch', answers.queriedAll, queries),
  'qdrant.Points/Scroll': ofCollection('scroll_points', answers.scrolled, (members) => members),
  'qdrant.Points/Count': ofCollection('count_points', answers.counted, (members) => members),
  'qdrant.Points/Recommend': ofCollection('recommend_points', answers.searched, recommendation),
  'qdrant.Points/RecommendBatch': ofCollection('recommend_batch', answers.searchedAll, ({ recommend_points: searches }) => ({
    searches: (searches as readonly Members[]).map((search) => recommendation(ownMembers(search))),
  })),
  'qdrant.Points/RecommendGroups': ofCollection('recommend_groups', answers.grouped, recommendation),
  'qdrant.Points/Discover': ofCollection('discover_points', answers.searched, discovery),
  'qdrant.Points/DiscoverBatch': ofCollection('discover_batch', answers.searchedAll, ({ discover_points: searches }) => ({
    searches: (searches as readonly Members[]).map((search) => discovery(ownMembers(search))),
  })),
  'qdrant.Points/SearchGroups': ofCollection('search_groups', answers.grouped, (members) => members),
  'qdrant.Points/QueryGroups': ofCollection('query_groups', answers.grouped, (members) => members),
  'qdrant.Points/SearchMatrixPairs': ofCollection('search_matrix_pairs', answers.paired, (members) => members),
  'qdrant.Points/SearchMatrixOffsets': ofCollection('search_matrix_offsets', answers.offset, (members) => members),
  'qdrant.Points/Facet': ofCollection('facet', answers.faceted, (members) => members),
};

/** Undefined for a call of the protocol that this release does not answer. */
export function callNamed(method: string): Call | undefined {
  return table[method];
}

const requests: ReadonlyMap<string, DescMessage> = new Map(
  services.flatMap((service) => service.methods.map((method) => [`${service.typeName}/${method.name}`, method.input] as const)),
);

/**
 * Reads a request from its bytes, and lets `check` see the body while the vectors are still apart.
 * @throws ServiceError `invalid_request` for bytes that are no such message
 */
export function readCall(method: string, bytes: Uint8Array, check: (input: CallInput) => void): CallInput {
  const desc = requests.get(method);
  const call = callNamed(method);
  if (desc === undefined || call === undefined) throw new Error(`there is no call ${method}`);
  const reader = new MessageReader(readingRules);
  const input = call.input(membersOf(desc, bytes, reader));
  check(input);
  return { ...input, body: reader.putVectorsBack(input.body) };
}

function membersOf(desc: DescMessage, bytes: Uint8Array, reader: MessageReader): Members {
  let message: Message;
  try {
    message = fromBinary(desc, bytes);
  } catch (cause) {
    const reason = `the request is no ${desc.typeName}: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new ServiceError('invalid_request', { reason }, { cause });
  }
  const read = reader.read(message);
  // A search is read by a rule, which leaves these to whoever asks.
  const others = desc.fields.map(({ name }) => name).filter((name) => name !== COLLECTION && name !== TIMEOUT);
  return { ...(read as Members), ...reader.members(message, others) };
}

const COLLECTION = 'collection_name';
const TIMEOUT = 'timeout';

function collectionOf(members: Members): { readonly collection_name: string } {
  // A string in every request that has it.
  return { collection_name: members[COLLECTION] as string };
}

function ofCollection(operation: OperationId, answer: Answer, body?: (members: Members) => unknown): Call {
  return {
    operation,
    input: (members) => {
      const { [COLLECTION]: _, [TIMEOUT]: timeout, ...rest } = members;
      const query = timeout === undefined ? {} : { timeout: String(Number(timeout)) };
      return { params: collectionOf(members), query, body: body?.(withoutMeaning(rest)) };
    },
    answer,
  };
}

/** Of one vector of a collection. */
function ofVector(operation: OperationId, body: (members: Members) => unknown): Call {
  return {
    operation,
    input: (members) => ({
      params: { ...collectionOf(members), vector_name: String(members.vector_name) },
      query: {},
      body: body(members),
    }),
    answer: answers.updated,
  };
}

function ofNothing(operation: OperationId, answer: Answer): Call {
  return { operation, input: () => ({ params: {}, query: {}, body: undefined }), answer };
}

/** Of a collection, or of the whole storage. */
function ofSnapshot(operation: OperationId): Call {
  return {
    operation,
    input: (members) => ({
      params: { snapshot_name: String(members.snapshot_name), ...(members[COLLECTION] === undefined ? {} : collectionOf(members)) },
      query: {},
      body: undefined,
    }),
    answer: snapshots.deleted,
  };
}

function vectorsRenamed({ vectors_config: vectors, sparse_vectors_config: sparse, ...members }: Members): Members {
  return { ...members, ...(vectors === undefined ? {} : { vectors }), ...(sparse === undefined ? {} : { sparse_vectors: sparse }) };
}

/** A selector that is missing selects nothing, which the schema refuses. */
function selected({ points }: Members): unknown {
  return points ?? {};
}

/** The type, or the type with its parameters. */
function fieldIndex({ field_type: type, field_index_params: params, ...members }: Members): Members {
  return { ...members, field_schema: params ?? type };
}

/** Each query of a batch names a collection, which is that of the batch. */
function queries({ query_points: searches }: Members): Members {
  return { searches: (searches as readonly Members[]).map(ownMembers) };
}

function ownMembers(search: Members): Members {
  const { [COLLECTION]: _, ...rest } = search;
  return withoutMeaning(rest);
}

/** Examples by id and examples by vector are one list to REST. */
function recommendation({ positive, negative, positive_vectors, negative_vectors, ...members }: Members): Members {
  const both = (...lists: readonly unknown[]) => lists.flatMap((list) => (list as readonly unknown[] | undefined) ?? []);
  return { ...members, positive: both(positive, positive_vectors), negative: both(negative, negative_vectors) };
}

/** A target that is not set is left out, and so are pairs of which there are none. */
function discovery({ context, ...members }: Members): Members {
  return { ...members, ...((context as readonly unknown[]).length === 0 ? {} : { context }) };
}
