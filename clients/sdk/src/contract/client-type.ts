// SPDX-License-Identifier: Apache-2.0
/** From the types of the contracts to those that callers of the SDK see. */
import type { Condition, Filter } from '@sextant/contracts-vector';
import type { JsonObject, JsonValue } from '../json.ts';

/**
 * A type of the contract as callers of the SDK use it: optional members may also be undefined, a single condition may stand for a filter, and free
 * objects hold JSON. Callers never pass the second parameter: it keeps the compiler from attaching an alias, so that the build of the package prints
 * the type by the name under which it is exported.
 */
export type ClientType<Wire, Result = TypeOf<Wire>> = Result;

/** Members of a query string: text on the wire, which stands for switches and whole numbers. */
export type ClientQuery<Query> = [keyof Query] extends [never]
  ? undefined
  : { readonly [Name in keyof Query]: ValueOf<NonNullable<Query[Name]>> | Absent<Query, Name> };

type TypeOf<Wire> = Wire extends Float32Array
  ? Wire
  : Wire extends readonly (infer Item)[]
    ? readonly TypeOf<Item>[]
    : Wire extends object
      ? ObjectOf<Wire>
      : Wire;

type ObjectOf<Wire> = [keyof Wire] extends [never]
  ? JsonObject
  : string extends keyof Wire
    ? JsonValue extends Wire[keyof Wire]
      ? JsonObject
      : { readonly [name: string]: TypeOf<Wire[keyof Wire]> }
    : { readonly [Name in keyof Wire]: MemberOf<Wire, Name> };

type MemberOf<Wire, Name extends keyof Wire> = Absent<Wire, Name> | (Name extends FilterName ? FilterOf<Wire[Name]> : TypeOf<Wire[Name]>);

/** What a member that may be absent may be besides. */
type Absent<Wire, Name extends keyof Wire> = Record<never, never> extends Pick<Wire, Name> ? undefined : never;

type FilterName = 'filter' | 'update_filter' | 'corpus';

/** Other members than filters have these names, too. */
type FilterOf<Wire> = Filter extends Wire ? TypeOf<Condition> | Exclude<Wire, Filter> : TypeOf<Wire>;

type ValueOf<Text> = [Text] extends ['true' | 'false'] ? boolean : [Text] extends [`${bigint}`] ? number : Text;
