// SPDX-License-Identifier: Apache-2.0
/**
 * Models in folders for tests. The small one is a table of vectors of tokens, so that a test can say what comes out; it is written in the ONNX format
 * (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, whose field numbers stand below). The real one is all-MiniLM-L6-v2, where `.ci/run` has put it.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../../.cache/embedding/', import.meta.url));

/** For `NODE_PATH`: ONNX Runtime and the tokenizers. */
export const ONNX_PACKAGES = join(CACHE, 'node_modules');
/** Of 22 MB, with weights of 8 bits: vectors of a text differ a little with the texts beside it. */
export const MINILM_FOLDER = join(CACHE, 'all-MiniLM-L6-v2');
export const hasOnnx = existsSync(join(CACHE, 'installed'));

type Content = string | object | Uint8Array | undefined;

/** The vectors of the tokens of a small model, in the order of its vocabulary. */
export const TOKEN_VECTORS: { readonly [token: string]: readonly [number, number] } = {
  '[PAD]': [100, 100],
  '[UNK]': [9, 9],
  '[CLS]': [1, 0],
  '[SEP]': [0, 1],
  a: [3, 4],
  b: [-6, 2],
};

/** Writes a folder with a small model, which cuts texts at 6 tokens; `files` replaces some of its files, or with undefined leaves them out. */
export function writeModelFolder(folder: string, files: { readonly [file: string]: Content } = {}): string {
  for (const [file, content] of Object.entries({ ...SMALL_MODEL, ...files })) {
    if (content === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content instanceof Uint8Array || typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** A graph that looks up the vector of each token. */
export function tableGraph({ output = 'last_hidden_state', inputs = ['input_ids', 'attention_mask'] } = {}): Uint8Array {
  const rows = Object.values(TOKEN_VECTORS);
  const table = message([1, rows.length], [1, 2], [2, FLOAT], [8, 'table'], [9, new Uint8Array(new Float32Array(rows.flat()).buffer)]);
  const gather = message([1, 'table'], [1, inputs[0] ?? ''], [2, output], [4, 'Gather']);
  const sides = inputs.map((name) => [11, tensorInfo(name, INT64, ['batch', 'sequence'])] as const);
  const graph = message([1, gather], [2, 'table'], [5, table], ...sides, [12, tensorInfo(output, FLOAT, ['batch', 'sequence', 2])]);
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])]);
}

const FLOAT = 1;
const INT64 = 7;

function tensorInfo(name: string, type: number, shape: readonly (string | number)[]): Uint8Array {
  const dimensions = shape.map((size) => [1, message(typeof size === 'number' ? [1, size] : [2, size])] as const);
  return message([1, name], [2, message([1, message([1, type], [2, message(...dimensions)])])]);
}

/** A message of protocol buffers: numbers, texts and messages by their field numbers. */
function message(...fields: readonly (readonly [number, number | string | Uint8Array])[]): Uint8Array {
  const parts = fields.flatMap(([field, value]) => {
    if (typeof value === 'number') return [varint(field * 8), varint(value)];
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    return [varint(field * 8 + 2), varint(bytes.length), bytes];
  });
  return Buffer.concat(parts);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.from([...bytes, rest]);
}

const special = (content: string, id: number) => ({
  id,
  content,
  special: true,
  normalized: false,
  single_word: false,
  lstrip: false,
  rstrip: false,
});

export const SMALL_TOKENIZER = {
  version: '1.0',
  added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map(special),
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: { '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] }, '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] } },
  },
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(Object.keys(TOKEN_VECTORS).map((token, id) => [token, id])),
  },
};

const SMALL_MODEL: { readonly [file: string]: Content } = {
  'model.onnx': tableGraph(),
  'tokenizer.json': SMALL_TOKENIZER,
  'sentence_bert_config.json': { max_seq_length: 6 },
  '1_Pooling/config.json': { pooling_mode_cls_token: false, pooling_mode_mean_tokens: true },
  'modules.json': ['Transformer', 'Pooling'].map((kind, idx) => ({
    idx,
    name: String(idx),
    path: kind === 'Pooling' ? '1_Pooling' : '',
    type: `sentence_transformers.models.${kind}`,
  })),
};
