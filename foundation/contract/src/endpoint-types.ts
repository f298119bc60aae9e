// SPDX-License-Identifier: Apache-2.0
/** The types that follow from a table of endpoints: rows by operation id, with schemas and a path. */
import type { TSchema } from 'typebox';
import type { Static } from './static.ts';

export type EndpointTable = { readonly [operation: string]: { readonly path: string } };

type MemberOf<Row, Name extends string> = Row extends { readonly [name in Name]: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined;

/** The body of an operation once its schema has let it through. */
export type EndpointBody<Table extends EndpointTable, Id extends keyof Table> = Table[Id] extends { readonly bodyOptional: true }
  ? MemberOf<Table[Id], 'body'> | undefined
  : MemberOf<Table[Id], 'body'>;

/** The query string of an operation, each member as text. */
export type EndpointQuery<Table extends EndpointTable, Id extends keyof Table> = MemberOf<Table[Id], 'query'>;

/** What an operation answers, without an envelope. */
export type EndpointResult<Table extends EndpointTable, Id extends keyof Table> = MemberOf<Table[Id], 'result'>;

/** The names in braces of a path. */
type ParamsIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsIn<Rest> : never;

/** The path parameters of an operation. */
export type EndpointParams<Table extends EndpointTable, Id extends keyof Table> = {
  readonly [name in ParamsIn<Table[Id]['path']>]: string;
};
