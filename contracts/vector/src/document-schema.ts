/** Texts in place of vectors: the one model that is served makes sparse vectors of them. */
import { maybe, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { snowballSchema, stopwordsSchema, tokenizerSchema } from './field-schema.ts';

/** Characters of one text; analysing that many takes a thread about a second. */
const TEXT_LENGTH_MAX = 1_000_000;
const MODEL = /^qdrant\/bm25$/i;

const tokenLength = (minimum: number) => maybe(Type.Integer({ minimum, maximum: 1_000 }));

const bm25OptionsSchema = strict(
  {
    /** 1.2: how soon more of the same token counts no more. */
    k: maybe(Type.Number({ minimum: 0, maximum: 1_000 })),
    /** 0.75: how much longer texts count less, from 0 to 1. */
    b: maybe(Type.Number({ minimum: 0, maximum: 1 })),
    /** 256: tokens of an average text. */
    avg_len: maybe(Type.Number({ minimum: 1, maximum: 1_000_000_000 })),
    /** english: says the stop words and the stemmer that are not given; `none` for neither. */
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
);
/** How a text becomes a vector of BM25; what is left out is as in the published API. */
export type Bm25Options = Static<typeof bm25OptionsSchema>;

export const documentSchema = strict(
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
);
/** As it is sent. */
export type RawDocument = Static<typeof documentSchema>;
