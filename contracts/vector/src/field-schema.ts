// SPDX-License-Identifier: Apache-2.0
/** Schemas of field indexes and of how they take texts apart. */

import { maybe, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import type { FieldType } from './field-types.ts';
import { memory } from './schema.ts';

export const tokenizerSchema = oneOf('prefix', 'whitespace', 'word', 'multilingual');
export type Tokenizer = Static<typeof tokenizerSchema>;

/** A language, or languages and words of one's own. */
export const stopwordsSchema = Type.Union(
  [
    Type.String({ maxLength: 64 }),
    strict(
      {
        languages: Type.Optional(Type.Array(Type.String())),
        custom: Type.Optional(Type.Array(Type.String(), { maxItems: 10_000 })),
      },
      { title: 'StopwordsSet' },
    ),
  ],
  { title: 'Stopwords' },
);

export const snowballSchema = strict({ type: Type.Literal('snowball'), language: Type.String() }, { title: 'SnowballParams' });

const common = {
  on_disk: maybe(Type.Boolean()),
  /** Kept and returned: indexes are in storage, whose pages the system caches. */
  memory,
  enable_hnsw: maybe(Type.Boolean()),
};
const isPrincipal = { is_principal: maybe(Type.Boolean()) };
const isTenant = { is_tenant: maybe(Type.Boolean()) };

/** A field index with its options; each type has its own. */
export const fieldSchemaSchema = Type.Union(
  [
    strict({ type: Type.Literal('keyword'), ...isTenant, prefix: maybe(Type.Boolean()), ...common }, { title: 'KeywordIndexParams' }),
    strict(
      { type: Type.Literal('integer'), lookup: maybe(Type.Boolean()), range: maybe(Type.Boolean()), ...isPrincipal, ...common },
      { title: 'IntegerIndexParams' },
    ),
    strict({ type: Type.Literal('float'), ...isPrincipal, ...common }, { title: 'FloatIndexParams' }),
    strict({ type: Type.Literal('bool'), ...common }, { title: 'BoolIndexParams' }),
    strict({ type: Type.Literal('datetime'), ...isPrincipal, ...common }, { title: 'DatetimeIndexParams' }),
    strict({ type: Type.Literal('uuid'), ...isTenant, ...common }, { title: 'UuidIndexParams' }),
    strict({ type: Type.Literal('geo'), ...common }, { title: 'GeoIndexParams' }),
    strict(
      {
        type: Type.Literal('text'),
        tokenizer: maybe(tokenizerSchema),
        min_token_len: maybe(Type.Integer({ minimum: 0, maximum: 1_000 })),
        max_token_len: maybe(Type.Integer({ minimum: 1, maximum: 1_000 })),
        lowercase: maybe(Type.Boolean()),
        ascii_folding: maybe(Type.Boolean()),
        phrase_matching: maybe(Type.Boolean()),
        stopwords: maybe(stopwordsSchema),
        stemmer: maybe(snowballSchema),
        ...common,
      },
      { title: 'TextIndexParams' },
    ),
  ],
  { title: 'FieldSchema' },
);

type IndexOfOneType = Static<typeof fieldSchemaSchema>;
type NamesIn<Each> = Each extends unknown ? keyof Each : never;
type ValueIn<Each, Name> = Each extends unknown ? (Name extends keyof Each ? Exclude<Each[Name], undefined> : never) : never;

/** A field index with its options, those of all types together; the short form is the type alone. */
export type FieldSchema = { readonly type: FieldType } & {
  readonly [Name in Exclude<NamesIn<IndexOfOneType>, 'type'>]?: ValueIn<IndexOfOneType, Name>;
};
