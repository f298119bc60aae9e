// SPDX-License-Identifier: Apache-2.0
/** Texts in place of vectors: a built-in model makes sparse vectors of them, models that the operator configures make dense ones. */
import { maybe, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { snowballSchema, stopwordsSchema, tokenizerSchema } from './field-schema.ts';
import { isBm25 } from './text-model.ts';

/** Characters of one text; analysing that many takes a thread about a second. */
const TEXT_LENGTH_MAX = 1_000_000;
const MODEL_LENGTH_MAX = 256;
/** Components that a model may be asked for. */
const DIMENSIONS_MAX = 65_536;

const tokenLength = (minimum: number) => maybe(Type.Integer({ minimum, maximum: 1_000 }));

const bm25Members = {
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
};
const bm25OptionsSchema = strict(bm25Members);
/** How a text becomes a vector of BM25; what is left out is as in the published API. */
export type Bm25Options = Static<typeof bm25OptionsSchema>;

/** Options of the built-in model and of configured ones; `optionsFault` tells them apart. */
const optionsSchema = strict(
  {
    ...bm25Members,
    /** Of configured models: how many components the vector has, where the model can make shorter ones. */
    dimensions: maybe(Type.Integer({ minimum: 1, maximum: DIMENSIONS_MAX })),
  },
  { title: 'DocumentOptions' },
);

export const documentSchema = Type.Refine(
  strict(
    {
      text: Type.String({ maxLength: TEXT_LENGTH_MAX }),
      model: Type.String({
        minLength: 1,
        maxLength: MODEL_LENGTH_MAX,
        description:
          '`Qdrant/bm25` is always available and makes sparse vectors; the operator configures other models, which make dense vectors.',
      }),
      options: maybe(optionsSchema),
    },
    { title: 'Document' },
  ),
  (document) => optionsFault(document) === undefined,
  (document) => optionsFault(document) ?? '',
);
/** As it is sent. */
export type RawDocument = {
  readonly text: string;
  readonly model: string;
  readonly options?: (Bm25Options & { readonly dimensions?: number | null }) | null;
};

function optionsFault({ model, options }: RawDocument): string | undefined {
  const given = Object.entries(options ?? {}).flatMap(([name, value]) => (value === undefined || value === null ? [] : [name]));
  if (isBm25(model)) return given.includes('dimensions') ? `the model "${model}" has no option dimensions` : undefined;
  const other = given.find((name) => name !== 'dimensions');
  return other === undefined ? undefined : `only Qdrant/bm25 has the option ${other}; the model "${model}" has only the option dimensions`;
}
