// SPDX-License-Identifier: Apache-2.0
/**
 * A folder with a model as Sentence Transformers saves it (https://sbert.net/docs/package_reference/sentence_transformer/models.html), with its graph in the ONNX
 * format. What the folder says is followed; what it does not say is refused and never guessed, because a wrong pooling makes vectors that look right.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseJson } from '@sextant/foundation-std';
import { placeOf } from '../../model-place.ts';

export const POOLINGS = ['cls', 'mean', 'max', 'mean_sqrt_len', 'lasttoken'] as const;
export type Pooling = (typeof POOLINGS)[number];

export type ModelFolder = {
  /** What callers call the model. */
  readonly name: string;
  readonly graphPath: string;
  readonly tokenizer: object;
  readonly tokenizerConfiguration: object;
  /** How the vectors of tokens become one; undefined where the folder does not say, as the graph may do it. */
  readonly pooling: Pooling | undefined;
  /** Whether vectors are made as long as 1. */
  readonly normalizes: boolean;
  /** Tokens of a text, with the special ones; the rest is cut off. */
  readonly tokensMax: number;
};

/** Why a folder cannot be served, for the operator. */
export class ModelFolderError extends Error {
  override readonly name = 'ModelFolderError';
}

/** As Sentence Transformers has it where nothing is said. */
const TOKENS_FALLBACK = 512;
/** Attention takes time and memory with the square of it. */
const TOKENS_MAX = 8192;
/** Of a file of the folder other than the graph; the largest tokenizers take some 20 MB. */
const FILE_BYTES_MAX = 134_217_728;

const POOLING_MEMBERS: { readonly [member: string]: Pooling } = {
  pooling_mode_cls_token: 'cls',
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_max_tokens: 'max',
  pooling_mode_mean_sqrt_len_tokens: 'mean_sqrt_len',
  pooling_mode_lasttoken: 'lasttoken',
};
const MODULES: ReadonlySet<string> = new Set(['Transformer', 'Pooling', 'Normalize']);

/** @throws ModelFolderError that says which file is missing or wrong, and what would be right */
export function readModelFolder(place: string): ModelFolder {
  const { name, folder } = placeOf(place);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new ModelFolderError(
      `${folder} is not a folder; expected a folder with tokenizer.json, 1_Pooling/config.json and a graph, model.onnx or onnx/model.onnx`,
    );
  const graphPath = graphIn(folder);
  const tokenizer = readObject(folder, 'tokenizer.json');
  if (tokenizer === undefined)
    throw new ModelFolderError(
      `${folder} has no tokenizer.json; the fast tokenizer of Transformers writes it: AutoTokenizer.from_pretrained(…).save_pretrained(…)`,
    );
  const tokenizerConfiguration = readObject(folder, 'tokenizer_config.json') ?? {};
  const modules = modulesIn(folder);
  const poolingFile = `${modules?.find(({ kind }) => kind === 'Pooling')?.path ?? '1_Pooling'}/config.json`;
  return {
    name,
    graphPath,
    tokenizer,
    tokenizerConfiguration,
    pooling: poolingIn(folder, poolingFile),
    normalizes: modules?.some(({ kind }) => kind === 'Normalize') ?? false,
    tokensMax: tokensMaxOf(folder, tokenizerConfiguration),
  };
}

function graphIn(folder: string): string {
  const found = ['onnx', '.'].flatMap((inner) => graphsOf(folder, inner));
  const chosen = found.find((path) => basename(path) === 'model.onnx') ?? (found.length === 1 ? found[0] : undefined);
  if (chosen !== undefined) return join(folder, chosen);
  throw new ModelFolderError(
    found.length === 0
      ? `${folder} has no graph; expected model.onnx or onnx/model.onnx, which \`optimum-cli export onnx\` writes`
      : `${folder} has several graphs (${found.join(', ')}) and no model.onnx; keep one of them, or rename one to model.onnx`,
  );
}

function graphsOf(folder: string, inner: string): readonly string[] {
  const path = join(folder, inner);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(path)
    .filter((file) => file.endsWith('.onnx'))
    .toSorted()
    .map((file) => join(inner, file));
}

type Module = { readonly kind: string; readonly path: string };

function modulesIn(folder: string): readonly Module[] | undefined {
  const listed = readJson(folder, 'modules.json');
  if (listed === undefined) return undefined;
  if (!Array.isArray(listed)) throw new ModelFolderError(`${join(folder, 'modules.json')} is not an array of modules`);
  const modules = listed.map((each: unknown) => {
    const { type, path } = membersOf(each);
    return { kind: String(type).split('.').at(-1) ?? '', path: typeof path === 'string' ? path : '' };
  });
  for (const { kind, path } of modules) {
    if (!MODULES.has(kind))
      throw new ModelFolderError(
        `${join(folder, 'modules.json')} has a module ${kind}, which is not served; expected ${[...MODULES].join(', ')}`,
      );
    if (path.split(/[\\/]/).includes('..'))
      throw new ModelFolderError(`${join(folder, 'modules.json')} points outside its folder: ${path}`);
  }
  return modules;
}

function poolingIn(folder: string, file: string): Pooling | undefined {
  const configuration = readObject(folder, file);
  if (configuration === undefined) return undefined;
  const chosen = Object.entries(configuration).filter(([member, value]) => member.startsWith('pooling_mode') && value === true);
  const [first, ...others] = chosen.map(([member]) => member);
  const pooling = first === undefined ? undefined : POOLING_MEMBERS[first];
  if (pooling !== undefined && others.length === 0) return pooling;
  const got = chosen.length === 0 ? 'none' : chosen.map(([member]) => member).join(' and ');
  throw new ModelFolderError(`${join(folder, file)} chooses ${got}; expected one of ${Object.keys(POOLING_MEMBERS).join(', ')} to be true`);
}

function tokensMaxOf(folder: string, tokenizerConfiguration: object): number {
  const wanted = count(membersOf(readObject(folder, 'sentence_bert_config.json')).max_seq_length);
  const { max_position_embeddings } = membersOf(readObject(folder, 'config.json'));
  const { model_max_length } = membersOf(tokenizerConfiguration);
  const known = [count(max_position_embeddings), count(model_max_length)].filter((each) => each !== undefined);
  return Math.min(TOKENS_MAX, wanted ?? (known.length === 0 ? TOKENS_FALLBACK : Math.min(...known)));
}

/** A tokenizer without a bound says so by a number beyond all sense. */
function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function readObject(folder: string, file: string): object | undefined {
  const value = readJson(folder, file);
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ModelFolderError(`${join(folder, file)} is not a JSON object`);
  return value;
}

/** Undefined where the file is missing. */
function readJson(folder: string, file: string): unknown {
  const path = join(folder, file);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.size > FILE_BYTES_MAX) throw new ModelFolderError(`${path} has ${stats.size} bytes; expected at most ${FILE_BYTES_MAX}`);
  try {
    return parseJson(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new ModelFolderError(`${path} cannot be read as JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function membersOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
