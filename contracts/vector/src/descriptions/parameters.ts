// SPDX-License-Identifier: Apache-2.0
/** Parameters of paths and query strings. */
export const PARAMETERS = {
  collection_name: 'The name of a collection, or an alias of it.',
  vector_name: 'The name of a vector.',
  field_name: 'The indexed payload key.',
  id: 'The id of the point.',
  peer_id: 'Number of the node.',
  token_id: 'Number of the token.',
  snapshot_name: 'The name of the snapshot.',
  timeout: 'Time limit of the request in seconds.',
  wait: 'Whether the response waits until the write is applied; the write is on disk in any case.',
  ordering: 'Accepted; all nodes apply the writes of a collection in the same order.',
  consistency:
    'In a cluster, with `majority`, `quorum`, `all` or a number above 1, the response includes every write that was acknowledged before.',
  force: 'Whether to remove the node even if it holds shards; shards with copies on other nodes are copied again.',
  per_collection: 'Whether to include figures per collection.',
  anonymize: 'Whether to replace names of collections by hashes.',
  details_level: 'From 1 on, collections are listed; from 2 on, with what they hold.',
  with: 'What to list in addition to running work: `queued`, `completed`, `idle_segments`, separated by commas.',
  completed_limit: 'Maximum number of finished items to list.',
} as const;
