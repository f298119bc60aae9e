/** Field indexes as the engine knows them: each type with the options of all. */
import type { FieldType } from './field-types.ts';

type MemoryPlacement = 'cold' | 'cached' | 'pinned';
export type Tokenizer = 'prefix' | 'whitespace' | 'word' | 'multilingual';

/** A field index with its options; the short form is the type alone. */
export type FieldSchema = {
  readonly type: FieldType;
  readonly is_tenant?: boolean | null;
  readonly is_principal?: boolean | null;
  readonly prefix?: boolean | null;
  readonly lookup?: boolean | null;
  readonly range?: boolean | null;
  readonly on_disk?: boolean | null;
  /** Kept and returned: indexes are in storage, whose pages the system caches. */
  readonly memory?: MemoryPlacement | null;
  readonly enable_hnsw?: boolean | null;
  readonly tokenizer?: Tokenizer | null;
  readonly min_token_len?: number | null;
  readonly max_token_len?: number | null;
  readonly lowercase?: boolean | null;
  readonly ascii_folding?: boolean | null;
  readonly phrase_matching?: boolean | null;
  readonly stopwords?: string | { readonly languages?: readonly string[]; readonly custom?: readonly string[] } | null;
  readonly stemmer?: { readonly type: 'snowball'; readonly language: string } | null;
};
