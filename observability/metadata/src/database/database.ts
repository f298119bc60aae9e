// SPDX-License-Identifier: Apache-2.0
/** One of the two databases, with what differs between them. */
import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export type MetadataDatabase = {
  readonly kysely: Kysely<Schema>;
  /** Holds a named lock until the transaction ends, so that transactions of one name run one after another. */
  readonly lock: (transaction: Transaction<Schema>, name: string) => Promise<void>;
  /** Takes the rows that a query finds for this transaction, without those that another one has taken. */
  readonly taking: <Query extends Takeable<Query>>(query: Query) => Query;
  /** Takes the rows that a query finds for this transaction, and waits where another one has taken them. */
  readonly holding: <Query extends Takeable<Query>>(query: Query) => Query;
  /** A condition: the column holds the text. Unlike LIKE it knows no wildcards. */
  readonly contains: (column: string, text: string) => RawBuilder<boolean>;
};

type Takeable<Query> = { readonly forUpdate: () => Query & { readonly skipLocked: () => Query } };

/** U+0000 ends a string in PostgreSQL's protocol, and no name or text of ours needs it; JSON carries it escaped. */
export function hasNul(parameters: readonly unknown[]): boolean {
  return parameters.some((parameter) => typeof parameter === 'string' && parameter.includes('\0'));
}

export const NUL_REFUSED = 'Text must not contain the character U+0000.';
