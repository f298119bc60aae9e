/** Schemas of field indexes and of how they take texts apart. */
import { maybe, oneOf, schemaOf, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import type { FieldSchema } from './collections.ts';
import { memory } from './schema.ts';

export const tokenizerSchema = oneOf('prefix', 'whitespace', 'word', 'multilingual');

/** A language, or languages and words of one's own. */
export const stopwordsSchema = Type.Union([
  Type.String({ maxLength: 64 }),
  strict({
    languages: Type.Optional(Type.Array(Type.String())),
    custom: Type.Optional(Type.Array(Type.String(), { maxItems: 10_000 })),
  }),
]);

const common = { on_disk: maybe(Type.Boolean()), memory, enable_hnsw: maybe(Type.Boolean()) };
const isPrincipal = { is_principal: maybe(Type.Boolean()) };
const isTenant = { is_tenant: maybe(Type.Boolean()) };

/** A field index with its options; each type has its own. */
export const fieldSchemaSchema = schemaOf<FieldSchema>()(
  Type.Union(
    [
      strict({ type: Type.Literal('keyword'), ...isTenant, prefix: maybe(Type.Boolean()), ...common }),
      strict({ type: Type.Literal('integer'), lookup: maybe(Type.Boolean()), range: maybe(Type.Boolean()), ...isPrincipal, ...common }),
      strict({ type: Type.Literal('float'), ...isPrincipal, ...common }),
      strict({ type: Type.Literal('bool'), ...common }),
      strict({ type: Type.Literal('datetime'), ...isPrincipal, ...common }),
      strict({ type: Type.Literal('uuid'), ...isTenant, ...common }),
      strict({ type: Type.Literal('geo'), ...common }),
      strict({
        type: Type.Literal('text'),
        tokenizer: maybe(tokenizerSchema),
        min_token_len: maybe(Type.Integer({ minimum: 0, maximum: 1_000 })),
        max_token_len: maybe(Type.Integer({ minimum: 1, maximum: 1_000 })),
        lowercase: maybe(Type.Boolean()),
        ascii_folding: maybe(Type.Boolean()),
        phrase_matching: maybe(Type.Boolean()),
        stopwords: maybe(stopwordsSchema),
        stemmer: maybe(strict({ type: Type.Literal('snowball'), language: Type.String() })),
        ...common,
      }),
    ],
    { title: 'FieldSchema' },
  ),
);
