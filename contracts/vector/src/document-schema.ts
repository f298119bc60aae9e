/** Texts in place of vectors: the one model that is served makes sparse vectors of them. */
import { maybe, oneOf, schemaOf, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { snowballSchema, stopwordsSchema, tokenizerSchema } from './field-schema.ts';
import type { Bm25Options } from './points.ts';

/** Characters of one text; analysing that many takes a thread about a second. */
const TEXT_LENGTH_MAX = 1_000_000;
const MODEL = /^qdrant\/bm25$/i;

/** As it is sent. */
export type RawDocument = { readonly text: string; readonly model: string; readonly options?: Bm25Options | null };

const tokenLength = (minimum: number) => maybe(Type.Integer({ minimum, maximum: 1_000 }));

const bm25OptionsSchema = schemaOf<Bm25Options>()(
  strict(
    {
      k: maybe(Type.Number({ minimum: 0, maximum: 1_000 })),
      b: maybe(Type.Number({ minimum: 0, maximum: 1 })),
      avg_len: maybe(Type.Number({ minimum: 1, maximum: 1_000_000_000 })),
      language: maybe(Type.String({ maxLength: 64 })),
      tokenizer: maybe(tokenizerSchema),
      lowercase: maybe(Type.Boolean()),
      ascii_folding: maybe(Type.Boolean()),
      stopwords: maybe(stopwordsSchema),
      stemmer: maybe(
        Type.Union([snowballSchema, strict({ type: Type.Literal('none') }, { title: 'NoStemmerParams' })], { title: 'StemmingAlgorithm' }),
      ),
      min_token_len: tokenLength(0),
      max_token_len: tokenLength(1),
    },
    { title: 'Bm25Options' },
  ),
);

export const documentSchema = schemaOf<RawDocument>()(
  strict(
    {
      text: Type.String({ maxLength: TEXT_LENGTH_MAX }),
      model: Type.Refine(
        Type.String({ description: 'In any case.', 'x-written': oneOf('Qdrant/bm25') }),
        (model: string) => MODEL.test(model),
        (model) => `the model "${String(model)}" is not served; "Qdrant/bm25" is, for sparse vectors`,
      ),
      options: maybe(bm25OptionsSchema),
    },
    { title: 'Document' },
  ),
);
