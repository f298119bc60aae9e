// SPDX-License-Identifier: Apache-2.0
/** A model in a folder, loaded: tokens go in, one vector for each text comes out. */

import { type ModelFolder, ModelFolderError, type Pooling, readModelFolder } from './model-folder.ts';
import type { InferenceSession, OnnxPackages, OnnxRuntime, Tensor, ValueMetadata } from './packages.ts';
import { normalize, poolTokens } from './pooling.ts';
import { TextTokenizer } from './text-tokenizer.ts';

/** Inputs that graphs of encoders have; each is a 64-bit integer for each token. */
const INPUTS: ReadonlySet<string> = new Set(['input_ids', 'attention_mask', 'token_type_ids']);
/** The vector of the text, where a graph makes it itself, as exports of Sentence Transformers do. */
const TEXT_OUTPUT = 'sentence_embedding';
/** The vectors of the tokens. */
const TOKEN_OUTPUTS: readonly string[] = ['last_hidden_state', 'token_embeddings'];

type Output = { readonly name: string; readonly pooling: Pooling | undefined };

export class OnnxModel {
  readonly name: string;
  readonly #folder: ModelFolder;
  readonly #tokenizer: TextTokenizer;
  readonly #session: InferenceSession;
  readonly #output: Output;
  readonly #tensor: OnnxRuntime['Tensor'];

  private constructor(
    folder: ModelFolder,
    parts: { tokenizer: TextTokenizer; session: InferenceSession; output: Output; tensor: OnnxRuntime['Tensor'] },
  ) {
    this.name = folder.name;
    this.#folder = folder;
    this.#tokenizer = parts.tokenizer;
    this.#session = parts.session;
    this.#output = parts.output;
    this.#tensor = parts.tensor;
  }

  /** @throws ModelFolderError */
  static async open(place: string, threads: number, { runtime, tokenizers }: OnnxPackages): Promise<OnnxModel> {
    const folder = readModelFolder(place);
    const tokenizer = asked(`the tokenizer.json beside ${folder.graphPath}`, () => new TextTokenizer(folder, tokenizers));
    const options = { executionProviders: ['cpu'], intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 4 };
    const session = await runtime.InferenceSession.create(folder.graphPath, options).catch((cause: unknown) => {
      throw new ModelFolderError(`${folder.graphPath} cannot be loaded: ${reasonOf(cause)}`, { cause });
    });
    try {
      const model = new OnnxModel(folder, { tokenizer, session, output: outputOf(session, folder), tensor: runtime.Tensor });
      // A graph that cannot be run stops the start, not the first request.
      await model.embed([model.tokensOf('a')]);
      return model;
    } catch (error) {
      await session.release();
      throw error instanceof ModelFolderError
        ? error
        : new ModelFolderError(`${folder.graphPath} cannot be run: ${reasonOf(error)}`, { cause: error });
    }
  }

  tokensOf(text: string): readonly number[] {
    return this.#tokenizer.tokensOf(text);
  }

  /** One vector for each list of tokens, as the graph makes them in one run: all are padded to the longest. */
  async embed(lists: readonly (readonly number[])[]): Promise<readonly Float32Array[]> {
    const width = Math.max(...lists.map(({ length }) => length));
    const { name, pooling } = this.#output;
    const { [name]: made } = await this.#session.run(this.#feeds(lists, width), [name]);
    const dimension = made?.dims.at(-1) ?? 0;
    const perText = pooling === undefined ? dimension : width * dimension;
    if (made === undefined || !(made.data instanceof Float32Array) || dimension === 0 || made.data.length !== lists.length * perText)
      throw new RangeError(`its output ${name} has the shape ${JSON.stringify(made?.dims)}, for ${lists.length} texts of ${width} tokens`);
    const { data } = made;
    return lists.map(({ length: tokens }, index) => {
      const values = data.subarray(index * perText, (index + 1) * perText);
      const vector = pooling === undefined ? values.slice() : poolTokens(pooling, { values, dimension, tokens });
      if (!vector.every(Number.isFinite)) throw new RangeError('a component of a vector is not a finite number');
      return this.#folder.normalizes ? normalize(vector) : vector;
    });
  }

  /** The first components alone, for models that are trained for that. */
  shortened(vector: Float32Array, dimensions: number): Float32Array {
    const shorter = vector.slice(0, dimensions);
    return this.#folder.normalizes ? normalize(shorter) : shorter;
  }

  close(): Promise<void> {
    return this.#session.release();
  }

  /** The id of padding does not matter, because the mask leaves it out. */
  #feeds(lists: readonly (readonly number[])[], width: number): { readonly [input: string]: Tensor } {
    const of = (valueAt: (list: readonly number[], position: number) => number) => {
      const data = new BigInt64Array(lists.length * width);
      for (const [row, list] of lists.entries())
        for (let position = 0; position < list.length; position++) data[row * width + position] = BigInt(valueAt(list, position));
      return new this.#tensor('int64', data, [lists.length, width]);
    };
    const all: { readonly [input: string]: () => Tensor } = {
      input_ids: () => of((list, position) => list[position] ?? 0),
      attention_mask: () => of(() => 1),
      token_type_ids: () => of(() => 0),
    };
    return Object.fromEntries(this.#session.inputMetadata.flatMap(({ name }) => (all[name] === undefined ? [] : [[name, all[name]()]])));
  }
}

function outputOf({ inputMetadata, outputMetadata }: InferenceSession, { graphPath, pooling }: ModelFolder): Output {
  for (const { name, type } of inputMetadata) {
    if (INPUTS.has(name) && type === 'int64') continue;
    throw new ModelFolderError(
      `${graphPath} requires the input ${name} of ${type}; expected only ${[...INPUTS].join(', ')}, each of int64`,
    );
  }
  if (!inputMetadata.some(({ name }) => name === 'input_ids')) throw new ModelFolderError(`${graphPath} has no input input_ids`);
  const ofText = outputMetadata.find(({ name }) => name === TEXT_OUTPUT);
  if (ofText !== undefined) return { name: floats(ofText, graphPath), pooling: undefined };
  const ofTokens = outputMetadata.find(({ name }) => TOKEN_OUTPUTS.includes(name));
  if (ofTokens === undefined) {
    const got = outputMetadata.map(({ name }) => name).join(', ');
    throw new ModelFolderError(`${graphPath} makes ${got}; expected ${[...TOKEN_OUTPUTS, TEXT_OUTPUT].join(', ')}`);
  }
  if (pooling === undefined)
    throw new ModelFolderError(
      `1_Pooling/config.json is missing from the folder of ${graphPath}; the file defines how token vectors are pooled, such as {"pooling_mode_mean_tokens": true}`,
    );
  return { name: floats(ofTokens, graphPath), pooling };
}

function floats({ name, type }: ValueMetadata, graphPath: string): string {
  if (type === 'float32') return name;
  throw new ModelFolderError(`${graphPath} makes ${name} of ${type}; expected float32`);
}

function asked<Made>(what: string, make: () => Made): Made {
  try {
    return make();
  } catch (cause) {
    throw new ModelFolderError(`${what} cannot be used: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
