/** Query strings. They arrive as text, so each schema is a pattern of text. */
import { oneOf, strict } from '@sextant/foundation-contract';
import Type from 'typebox';

const flag = Type.Unsafe<'true' | 'false'>(Type.Enum(['true', 'false']));
const seconds = Type.String({ pattern: '^[1-9][0-9]{0,8}$', 'x-expected': 'a whole number of seconds of at least 1' });

export const collectionQuery = strict({
  timeout: Type.Optional(seconds),
  /** `delete` of some clients sends it; every write is durable when it is answered. */
  wait: Type.Optional(flag),
});

export const writeQuery = strict({
  wait: Type.Optional(flag),
  ordering: Type.Optional(oneOf('weak', 'medium', 'strong')),
  timeout: Type.Optional(seconds),
});

export const readQuery = strict({
  consistency: Type.Optional(
    Type.String({ pattern: '^(?:majority|quorum|all|[1-9][0-9]{0,8})$', 'x-expected': 'majority, quorum, all or a number of replicas' }),
  ),
  timeout: Type.Optional(seconds),
});

export const telemetryQuery = strict({
  /** Names of collections are replaced by hashes. */
  anonymize: Type.Optional(flag),
  timeout: Type.Optional(seconds),
  per_collection: Type.Optional(flag),
  details_level: Type.Optional(Type.String({ pattern: '^[0-9]{1,2}$', 'x-expected': 'a whole number' })),
});

const OPTIMIZATION_DETAILS = '(?:queued|completed|idle_segments)';

export const optimizationsQuery = strict({
  with: Type.Optional(
    Type.String({
      pattern: `^${OPTIMIZATION_DETAILS}(?:,${OPTIMIZATION_DETAILS})*$`,
      'x-expected': 'queued, completed and idle_segments, joined by commas',
    }),
  ),
  completed_limit: Type.Optional(Type.String({ pattern: '^[0-9]{1,6}$', 'x-expected': 'a whole number' })),
});

export const metricsQuery = strict({
  per_collection: Type.Optional(flag),
  anonymize: Type.Optional(flag),
  timeout: Type.Optional(seconds),
});

export const noQuery = strict({});
