/** The calls of the protocol that carry an operation: everything about points. The rest is rare, and goes over REST. */
import type { VectorOperations } from '../contract/vector-types.ts';
import * as answers from './answers.ts';
import * as requests from './requests.ts';
import { type Members, withVectors } from './writing-rules.ts';

export type GrpcCall = {
  /** Of the service `qdrant.Points`. */
  readonly method: string;
  /** The members of the request, of the body that REST takes; without the collection. */
  readonly request: (body: Members) => Members;
  /** What REST answers; each gets the answer of its own method, and the body of REST. */
  readonly answer: (message: never, body: Members) => unknown;
};

const asItIs = (body: Members) => body;
const searches = (name: string, each: (search: Members) => Members) => (body: Members) => ({
  [name]: (body.searches as readonly Members[]).map(each),
});

export const grpcCalls: { readonly [Id in keyof VectorOperations]?: GrpcCall } = {
  upsert_points: { method: 'Upsert', request: requests.upsert, answer: answers.updated },
  delete_points: { method: 'Delete', request: requests.selected, answer: answers.updated },
  retrieve_points: { method: 'Get', request: withVectors, answer: answers.retrieved },
  update_vectors: { method: 'UpdateVectors', request: asItIs, answer: answers.updated },
  delete_vectors: { method: 'DeleteVectors', request: requests.selectingVectors, answer: answers.updated },
  set_payload: { method: 'SetPayload', request: requests.selecting, answer: answers.updated },
  overwrite_payload: { method: 'OverwritePayload', request: requests.selecting, answer: answers.updated },
  delete_payload: { method: 'DeletePayload', request: requests.selecting, answer: answers.updated },
  clear_payload: { method: 'ClearPayload', request: requests.selected, answer: answers.updated },
  batch_update: {
    method: 'UpdateBatch',
    request: ({ operations, ...others }) => ({ ...others, operations: (operations as readonly unknown[]).map(requests.step) }),
    answer: answers.updatedAll,
  },
  search_points: { method: 'Search', request: requests.search, answer: answers.searched },
  search_batch: { method: 'SearchBatch', request: searches('search_points', requests.search), answer: answers.searchedAll },
  query_points: { method: 'Query', request: requests.prefetching, answer: answers.queried },
  query_batch: { method: 'QueryBatch', request: searches('query_points', requests.prefetching), answer: answers.queriedAll },
  scroll_points: { method: 'Scroll', request: withVectors, answer: answers.scrolled },
  count_points: { method: 'Count', request: asItIs, answer: answers.counted },
  facet: { method: 'Facet', request: asItIs, answer: answers.faceted },
  recommend_points: { method: 'Recommend', request: requests.recommendation, answer: answers.searched },
  recommend_batch: {
    method: 'RecommendBatch',
    request: searches('recommend_points', requests.recommendation),
    answer: answers.searchedAll,
  },
  recommend_groups: {
    method: 'RecommendGroups',
    request: (body) => requests.recommendation(requests.grouped(body)),
    answer: answers.grouped,
  },
  discover_points: { method: 'Discover', request: requests.discovery, answer: answers.searched },
  discover_batch: { method: 'DiscoverBatch', request: searches('discover_points', requests.discovery), answer: answers.searchedAll },
  search_groups: { method: 'SearchGroups', request: (body) => requests.search(requests.grouped(body)), answer: answers.grouped },
  query_groups: { method: 'QueryGroups', request: requests.prefetching, answer: answers.grouped },
  search_matrix_pairs: { method: 'SearchMatrixPairs', request: asItIs, answer: answers.paired },
  search_matrix_offsets: { method: 'SearchMatrixOffsets', request: asItIs, answer: answers.offset },
};
