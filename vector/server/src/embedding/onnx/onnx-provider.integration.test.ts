// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import {
  hasOnnx,
  MINILM_FOLDER,
  ONNX_PACKAGES,
  SMALL_TOKENIZER,
  type TemporaryDirectory,
  tableGraph,
  temporaryDirectory,
  writeModelFolder,
} from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openEmbedder } from '../open-embedder.ts';
import { readModelFolder } from './model-folder.ts';
import { normalize, poolTokens } from './pooling.ts';

let directory: TemporaryDirectory;
let count = 0;
beforeAll(async () => {
  directory = await temporaryDirectory();
  vi.stubEnv('NODE_PATH', ONNX_PACKAGES);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await directory[Symbol.asyncDispose]();
});

const CONFIGURATION = {
  embeddingUrl: undefined,
  embeddingApiKey: undefined,
  embeddingModels: [],
  embeddingThreads: 1,
  embeddingTimeoutSeconds: 30,
  embeddingBatch: 64,
  embeddingCacheBytes: 0,
};
const small = (files: Parameters<typeof writeModelFolder>[1] = {}) =>
  writeModelFolder(join(directory.path, String(count++), 'small'), files);
const open = (folder: string, clock = systemClock) => openEmbedder({ ...CONFIGURATION, embeddingOnnxFolders: [folder] }, clock);

async function embed(folder: string, texts: readonly string[], dimensions?: number): Promise<number[][]> {
  const embedder = await open(folder);
  if (typeof embedder === 'string') throw new Error(embedder);
  try {
    const vectors = await embedder.embed({ model: 'small', texts, ...(dimensions === undefined ? {} : { dimensions }) });
    return vectors.map((vector) => [...vector].map((value) => Number(value.toFixed(4))));
  } finally {
    await embedder.close();
  }
}

describe('the vectors of tokens become one', () => {
  const tokens = { values: Float32Array.of(1, 5, 3, -1, 100, 100), dimension: 2, tokens: 2 };
  test.each([
    ['cls', [1, 5]],
    ['lasttoken', [3, -1]],
    ['max', [3, 5]],
    ['mean', [2, 2]],
    ['mean_sqrt_len', [2.8284, 2.8284]],
  ] as const)('by %s, without the padding', (pooling, expected) => {
    expect([...poolTokens(pooling, tokens)].map((value) => Number(value.toFixed(4)))).toEqual(expected);
  });

  test('as long as 1, unless it is zero', () => {
    expect([...normalize(Float32Array.of(3, 4))]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
    expect([...normalize(Float32Array.of(0, 0))]).toEqual([0, 0]);
  });
});

test.each<[string, Parameters<typeof writeModelFolder>[1], RegExp]>([
  ['no graph', { 'model.onnx': undefined }, /has no graph; expected model\.onnx or onnx\/model\.onnx/],
  ['two graphs', { 'model.onnx': undefined, 'onnx/a.onnx': 'x', 'onnx/b.onnx': 'x' }, /several graphs \(onnx\/a\.onnx, onnx\/b\.onnx\)/],
  ['no tokenizer', { 'tokenizer.json': undefined }, /has no tokenizer\.json/],
  ['a tokenizer that is no JSON', { 'tokenizer.json': '{' }, /tokenizer\.json cannot be read as JSON/],
  ['a tokenizer that is no object', { 'tokenizer.json': '[]' }, /tokenizer\.json is not a JSON object/],
  [
    'two poolings',
    { '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_max_tokens: true } },
    /chooses pooling_mode_cls_token and pooling_mode_max_tokens/,
  ],
  ['no pooling chosen', { '1_Pooling/config.json': {} }, /chooses none; expected one of pooling_mode_cls_token/],
  [
    'a pooling that is not known',
    { '1_Pooling/config.json': { pooling_mode_weightedmean_tokens: true } },
    /chooses pooling_mode_weightedmean_tokens/,
  ],
  [
    'a module that is not known',
    { 'modules.json': [{ type: 'sentence_transformers.models.Dense', path: '2_Dense' }] },
    /has a module Dense, which is not served/,
  ],
  [
    'a module elsewhere',
    { 'modules.json': [{ type: 'sentence_transformers.models.Pooling', path: '../..' }] },
    /points outside its folder/,
  ],
  ['modules that are no list', { 'modules.json': {} }, /is not an array of modules/],
])('a folder with %s is refused, and what would be right is said', (_, files, message) => {
  expect(() => readModelFolder(small(files))).toThrow(message);
});

test('a folder says how many tokens a text may have', () => {
  const lengthOf = (files: Parameters<typeof writeModelFolder>[1]) => readModelFolder(small(files)).tokensMax;
  const without = { 'sentence_bert_config.json': undefined };
  expect(lengthOf({})).toBe(6);
  expect(
    lengthOf({ ...without, 'config.json': { max_position_embeddings: 514 }, 'tokenizer_config.json': { model_max_length: 500 } }),
  ).toBe(500);
  expect(lengthOf({ ...without, 'tokenizer_config.json': { model_max_length: 1e30 } })).toBe(512);
  expect(lengthOf({ 'sentence_bert_config.json': { max_seq_length: 1_000_000 } })).toBe(8192);
  expect(() => readModelFolder(join(directory.path, 'nowhere'))).toThrow(/nowhere is not a folder; expected a folder with tokenizer\.json/);
});

test('packages that are not installed are named with the command', async () => {
  vi.stubEnv('NODE_PATH', '');
  const refused = await open(small());
  vi.stubEnv('NODE_PATH', ONNX_PACKAGES);
  expect(refused).toMatch(
    /^SERVICE_EMBEDDING_ONNX_FOLDERS: .*run `npm install --ignore-scripts onnxruntime-node@\S+ @huggingface\/tokenizers@\S+` beside the service/,
  );
});

describe.skipIf(!hasOnnx)('a model that runs', () => {
  test('makes the vectors of its graph, whatever is beside a text', async () => {
    // [CLS] a [SEP] is (1, 0), (3, 4), (0, 1); a text is cut at 6 tokens, of which two are special.
    const expected = { a: [1.3333, 1.6667], 'a b': [-0.5, 1.75], 'a a a a b b b': [2.1667, 2.8333], z: [3.3333, 3.3333] };
    expect(await embed(small(), Object.keys(expected))).toEqual(Object.values(expected));
  });

  test.each([
    ['cls', [1, 0]],
    ['max', [3, 4]],
  ])('pools by %s where its folder says so', async (mode, expected) => {
    const suffix = mode === 'cls' ? 'cls_token' : 'max_tokens';
    expect(await embed(small({ '1_Pooling/config.json': { [`pooling_mode_${suffix}`]: true } }), ['a'])).toEqual([expected]);
  });

  test('makes vectors as long as 1 where its folder says so, and shorter ones on demand', async () => {
    const modules = ['Transformer', 'Pooling', 'Normalize'].map((kind) => ({
      type: `models.${kind}`,
      path: kind === 'Pooling' ? '1_Pooling' : '',
    }));
    const folder = small({ 'modules.json': modules });
    expect(await embed(folder, ['a'])).toEqual([[0.6247, 0.7809]]);
    expect(await embed(folder, ['a'], 1)).toEqual([[1]]);
    await expect(embed(folder, ['a'], 3)).rejects.toMatchObject({
      restStatus: 400,
      message: expect.stringMatching(/vectors of 2 components, but 3 were/),
    });
  });

  test.each([
    ['BPE', { type: 'BPE', vocab: { '[UNK]': 1, a: 4, b: 5, ab: 0 }, merges: ['a b'], unk_token: '[UNK]' }, 'ab', [33.6667, 33.6667]],
    [
      'Unigram',
      {
        type: 'Unigram',
        unk_id: 1,
        vocab: [
          ['[PAD]', 0],
          ['[UNK]', 0],
          ['[CLS]', 0],
          ['[SEP]', 0],
          ['a', -1],
          ['b', -1],
        ],
      },
      'a',
      [1.3333, 1.6667],
    ],
  ])('reads a tokenizer of the kind %s', async (_, model, text, expected) => {
    expect(await embed(small({ 'tokenizer.json': { ...SMALL_TOKENIZER, model } }), [text])).toEqual([expected]);
  });

  test.each<[string, Parameters<typeof writeModelFolder>[1], RegExp]>([
    ['no graph at all', { 'model.onnx': 'nothing' }, /model\.onnx cannot be loaded: /],
    [
      'an unknown input',
      { 'model.onnx': tableGraph({ inputs: ['input_ids', 'pixel_values'] }) },
      /requires the input pixel_values of int64; expected only input_ids/,
    ],
    [
      'an unknown output',
      { 'model.onnx': tableGraph({ output: 'logits' }) },
      /makes logits; expected last_hidden_state, token_embeddings, sentence_embedding/,
    ],
    ['no pooling', { '1_Pooling/config.json': undefined }, /1_Pooling\/config\.json is missing/],
    ['an unknown tokenizer', { 'tokenizer.json': { model: { type: 'Magic' } } }, /tokenizer\.json beside .* cannot be used/],
    [
      'tokens beyond its table',
      { 'tokenizer.json': { ...SMALL_TOKENIZER, model: { ...SMALL_TOKENIZER.model, vocab: { '[UNK]': 1, a: 99 } } } },
      /model\.onnx cannot be run: /,
    ],
    ['no room for a token', { 'sentence_bert_config.json': { max_seq_length: 2 } }, /the special ones leave no room/],
  ])('with %s stops the start with a sentence', async (_, files, message) => {
    expect(await open(small(files))).toMatch(message);
  });

  test('looks at no more of a text than can become its tokens', async () => {
    // Four tokens beside the special ones: 128 characters.
    const texts = [126, 127].map((blanks) => `a${' '.repeat(blanks)}a`);
    expect(await embed(small(), texts)).toEqual([
      [1.75, 2.25],
      [1.3333, 1.6667],
    ]);
  });

  test('texts that take too long are given up between two runs, and so they are at the end of the service', async () => {
    let nowMs = 0;
    const clock = {
      ...systemClock,
      monotonicMs: () => {
        nowMs += 20_000;
        return nowMs;
      },
    };
    const embedder = await open(small({ 'sentence_bert_config.json': { max_seq_length: 200 } }), clock);
    if (typeof embedder === 'string') throw new Error(embedder);
    const long = Array.from({ length: 64 }, (_, index) => 'a '.repeat(150 + index));
    await expect(embedder.embed({ model: 'small', texts: long })).rejects.toMatchObject({
      restStatus: 503,
      message: expect.stringMatching(/its texts took longer than the limit of 30 s/),
    });
    await embedder.close();
    await expect(embedder.embed({ model: 'small', texts: ['b'] })).rejects.toMatchObject({
      restStatus: 503,
      message: expect.stringMatching(/the service is shutting down/),
    });
  });

  test('all-MiniLM-L6-v2 finds what is said in other words', async () => {
    const embedder = await open(MINILM_FOLDER);
    if (typeof embedder === 'string') throw new Error(embedder);
    const texts = ['lost suitcase', 'The luggage arrived a day late', 'Rain is expected in the mountains', 'She paints with oil'];
    const [asked, ...stored] = await embedder.embed({ model: 'all-MiniLM-L6-v2', texts });
    await embedder.close();
    const likeness = stored.map((vector) => vector.reduce((sum, value, at) => sum + value * (asked?.[at] ?? 0), 0));
    expect(asked).toHaveLength(384);
    expect(Math.max(...likeness.slice(1))).toBeLessThan(0.2);
    expect(likeness[0]).toBeGreaterThan(0.4);
  });
});
