// SPDX-License-Identifier: Apache-2.0
/**
 * The packages that run a model in a folder, as much of them as is used: ONNX Runtime (https://onnxruntime.ai/docs/api/js/) and the tokenizers of Hugging Face
 * (https://github.com/huggingface/tokenizers.js). They take 290 MB, and most services do without.
 */
import { isMissingPackage, optionalPackage } from '@sextant/foundation-std';

/** The releases that the tests run with, and later ones that promise to be like them. */
const PACKAGES = { runtime: 'onnxruntime-node@^1.30.0', tokenizers: '@huggingface/tokenizers@^0.2.0' } as const;

export type Tensor = { readonly data: unknown; readonly dims: readonly number[]; readonly type: string };
export type ValueMetadata = {
  readonly name: string;
  readonly isTensor: boolean;
  readonly type?: string;
  readonly shape?: readonly unknown[];
};
export type InferenceSession = {
  readonly inputMetadata: readonly ValueMetadata[];
  readonly outputMetadata: readonly ValueMetadata[];
  run(feeds: { readonly [input: string]: Tensor }, outputs: readonly string[]): Promise<{ readonly [output: string]: Tensor }>;
  release(): Promise<void>;
};
export type OnnxRuntime = {
  readonly InferenceSession: { create(path: string, options: object): Promise<InferenceSession> };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
};

export type EncodeOptions = { readonly add_special_tokens: boolean };
export type PackagedTokenizer = { encode(text: string, options: EncodeOptions): { readonly ids: readonly number[] } };
export type TokenizersPackage = { readonly Tokenizer: new (tokenizer: object, configuration: object) => PackagedTokenizer };

export type OnnxPackages = { readonly runtime: OnnxRuntime; readonly tokenizers: TokenizersPackage };

/** Both packages, or why they cannot be loaded, for the operator. */
export function loadOnnxPackages(): OnnxPackages | string {
  try {
    // The modules of these packages have these members.
    return {
      runtime: optionalPackage('onnxruntime-node') as OnnxRuntime,
      tokenizers: optionalPackage('@huggingface/tokenizers') as TokenizersPackage,
    };
  } catch (error) {
    if (isMissingPackage(error))
      return `ONNX models need packages that are not installed with the service; run ${INSTALL} beside the service and restart it`;
    return `the packages for ONNX models cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Its scripts would fetch the parts for graphics processors, which are not used. */
const INSTALL = `\`npm install --ignore-scripts ${PACKAGES.runtime} ${PACKAGES.tokenizers}\``;
