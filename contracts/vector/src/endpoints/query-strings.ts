// SPDX-License-Identifier: Apache-2.0
/** Query strings. They arrive as text, so each schema says what text. */
import { oneOf, queryFlag, queryInteger, strict } from '@sextant/foundation-contract';
import Type from 'typebox';

const seconds = queryInteger({ minimum: 1, maximum: 999_999_999, expected: 'a whole number of seconds of at least 1' });

export const collectionQuery = strict({
  timeout: Type.Optional(seconds),
  /** `delete` of some clients sends it; every write is durable when it is answered. */
  wait: Type.Optional(queryFlag),
});

export const writeQuery = strict({
  wait: Type.Optional(queryFlag),
  ordering: Type.Optional(oneOf('weak', 'medium', 'strong')),
  timeout: Type.Optional(seconds),
});

export const readQuery = strict({
  consistency: Type.Optional(
    Type.String({
      pattern: '^(?:majority|quorum|all|[1-9][0-9]{0,8})$',
      'x-expected': 'majority, quorum, all or a number of replicas',
      'x-written': Type.Union([Type.Integer({ minimum: 1, maximum: 999_999_999 }), oneOf('majority', 'quorum', 'all')], {
        title: 'ReadConsistency',
      }),
    }),
  ),
  timeout: Type.Optional(seconds),
});

export const telemetryQuery = strict({
  /** Names of collections are replaced by hashes. */
  anonymize: Type.Optional(queryFlag),
  timeout: Type.Optional(seconds),
  per_collection: Type.Optional(queryFlag),
  details_level: Type.Optional(queryInteger({ minimum: 0, maximum: 99, expected: 'a whole number' })),
});

const OPTIMIZATION_DETAILS = '(?:queued|completed|idle_segments)';

export const optimizationsQuery = strict({
  with: Type.Optional(
    Type.String({
      pattern: `^${OPTIMIZATION_DETAILS}(?:,${OPTIMIZATION_DETAILS})*$`,
      'x-expected': 'queued, completed and idle_segments, separated by commas',
    }),
  ),
  completed_limit: Type.Optional(queryInteger({ minimum: 0, maximum: 999_999, expected: 'a whole number' })),
});

export const metricsQuery = strict({
  per_collection: Type.Optional(queryFlag),
  anonymize: Type.Optional(queryFlag),
  timeout: Type.Optional(seconds),
});

export const removePeerQuery = strict({
  /** Also where shards are placed on it. */
  force: Type.Optional(queryFlag),
  timeout: Type.Optional(seconds),
});

export const noQuery = strict({});
