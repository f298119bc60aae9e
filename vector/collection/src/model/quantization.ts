// SPDX-License-Identifier: Apache-2.0
/** Which codes a vector's configuration asks of the kernel, and whether they serve. */
import type { QuantizationConfig, VectorParams } from '@sextant/contracts-vector';
import type { SpaceReader, VectorSpaceOptions } from '@sextant/vector-kernel';
import type { CollectionConfig } from './collection-config.ts';
import { UNNAMED } from './collection-config.ts';
import type { SpaceSchema } from './vectors.ts';

export type CodeOptions = Pick<VectorSpaceOptions, 'quantization' | 'quantile' | 'queryBits'>;

type Binary = Extract<QuantizationConfig, { readonly binary: unknown }>['binary'];

type Turbo = Extract<QuantizationConfig, { readonly turbo: unknown }>['turbo'];

const BINARY_KINDS = { one_bit: 'binary', one_and_half_bits: 'binary-1.5', two_bits: 'binary-2' } as const;
/** Four bits where nothing else is asked for: with as many as the codes have, twice as many vectors have to be measured. */
const QUERY_BITS = { default: 4, binary: 1, scalar4bits: 4, scalar8bits: 8 } as const;

/**
 * The codes that serve a configuration of `turbo`. Those of binary also round what a random rotation has made of a vector, to as many bits. There are none of
 * four bits: where those are asked for, the kernel chooses as without a configuration, codes of half a byte for each component at most, or else those of scalar.
 */
const TURBO_ENCODINGS = { bits1: 'one_bit', bits1_5: 'one_and_half_bits', bits2: 'two_bits', bits4: undefined } as const;

/** Of what holds for one vector: its own configuration, or else the collection's. Without one, the kernel chooses by the dimension. */
export function quantizationOf(config: CollectionConfig, params: VectorParams): CodeOptions {
  const configured = configuredFor(config, params);
  if (configured == null) return {};
  if ('turbo' in configured) return turboOptions(configured.turbo);
  if ('product' in configured) return { quantization: `product-${configured.product.compression}` };
  if ('binary' in configured) return binaryOptions(configured.binary);
  const { quantile } = configured.scalar;
  return { quantization: 'int8', ...(quantile == null ? {} : { quantile }) };
}

function binaryOptions({ encoding, query_encoding }: Binary): CodeOptions {
  return { quantization: BINARY_KINDS[encoding ?? 'one_bit'], queryBits: QUERY_BITS[query_encoding ?? 'default'] };
}

function turboOptions({ bits }: Turbo): CodeOptions {
  const encoding = TURBO_ENCODINGS[bits ?? 'bits4'];
  return encoding === undefined ? {} : binaryOptions({ encoding });
}

/** Says of a vector that its codes are not those configured, that they do not serve, or no longer serve well; undefined where there is nothing to say. */
export function codesWarning(
  config: CollectionConfig,
  { name, params }: SpaceSchema,
  { codes }: Pick<SpaceReader, 'codes'>,
): string | undefined {
  const vector = name === UNNAMED ? 'the vectors' : `the vector '${name}'`;
  if (codes === 'outgrown') {
    return `on_disk: the codes of ${vector} no longer fit many of the newer vectors, so recall is lower; they are recomputed when the number of points has grown by half since the last time, or when on_disk is switched off and on`;
  }
  const configured = configuredFor(config, params);
  if (configured == null) return undefined;
  if ('binary' in configured && params.distance === 'Manhattan') {
    return `quantization_config.binary: binary codes do not preserve the distance Manhattan, so ${vector} ${name === UNNAMED ? 'use' : 'uses'} scalar codes instead`;
  }
  if (codes === 'given up') {
    const [kind] = Object.keys(configured);
    return `quantization_config.${kind}: these codes cannot distinguish the neighbours of ${vector}, so searches use the vectors themselves`;
  }
  return 'turbo' in configured ? turboWarning(configured.turbo, params, vector) : undefined;
}

function turboWarning({ bits }: Turbo, { distance }: VectorParams, vector: string): string {
  const encoding = TURBO_ENCODINGS[bits ?? 'bits4'];
  const binary = distance === 'Manhattan' ? 'scalar codes' : `binary codes with the encoding ${encoding}`;
  const codes = encoding === undefined ? 'the default codes' : binary;
  return `quantization_config.turbo: this service has no codes of this kind; ${vector} ${vector === 'the vectors' ? 'use' : 'uses'} ${codes}`;
}

function configuredFor(config: CollectionConfig, params: VectorParams): QuantizationConfig | null | undefined {
  return params.quantization_config ?? config.quantization_config;
}
