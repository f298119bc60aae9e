// SPDX-License-Identifier: Apache-2.0
/** The types of schemas. */
import type { TArray, TObject, TOptional, TRecord, TSchema, TUnion, TUnsafe, Static as TypeBoxStatic } from 'typebox';

/**
 * The type of a schema's values: that of TypeBox, but readonly throughout, since nobody changes what came in or goes out. Callers never pass the
 * second parameter: it keeps the compiler from attaching an alias, so that a schema has the same type wherever it is used.
 */
export type Static<Schema extends TSchema, Result = StaticOf<Schema>> = Result;

type StaticOf<Schema> =
  Schema extends TUnsafe<infer Value>
    ? Value
    : Schema extends TUnion<infer Branches>
      ? StaticOf<Branches[number]>
      : Schema extends TArray<infer Item>
        ? readonly StaticOf<Item>[]
        : Schema extends TObject<infer Members>
          ? ObjectOf<Members>
          : Schema extends TRecord<string, infer Member>
            ? { readonly [name: string]: StaticOf<Member> }
            : Schema extends TSchema
              ? TypeBoxStatic<Schema>
              : never;

/** Names are chosen by an `as` clause, so that members keep the comments that the schemas have of them. */
type ObjectOf<Members> = Evaluated<
  { readonly [Name in keyof Members as Members[Name] extends TOptional ? never : Name]: StaticOf<Members[Name]> } & {
    readonly [Name in keyof Members as Members[Name] extends TOptional ? Name : never]?: StaticOf<Members[Name]>;
  }
>;

/** An intersection as one object. */
type Evaluated<Value> = { [Name in keyof Value]: Value[Name] };
