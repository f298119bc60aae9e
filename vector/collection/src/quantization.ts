/** Which codes a vector's configuration asks of the kernel, and whether they serve. */
import type { QuantizationConfig, VectorParams } from '@sextant/contracts-vector';
import type { SpaceReader, VectorSpaceOptions } from '@sextant/vector-kernel';
import type { CollectionConfig } from './collection-config.ts';
import { UNNAMED } from './collection-config.ts';
import type { SpaceSchema } from './vectors.ts';

export type CodeOptions = Pick<VectorSpaceOptions, 'quantization' | 'quantile' | 'queryBits'>;

type Binary = Extract<QuantizationConfig, { readonly binary: unknown }>['binary'];

const BINARY_KINDS = { one_bit: 'binary', one_and_half_bits: 'binary-1.5', two_bits: 'binary-2' } as const;
/** Four bits where nothing else is asked for: with as many as the codes have, twice as many vectors have to be measured. */
const QUERY_BITS = { default: 4, binary: 1, scalar4bits: 4, scalar8bits: 8 } as const;

/** Of what holds for one vector: its own configuration, or else the collection's. Without one, the kernel chooses by the dimension. */
export function quantizationOf(config: CollectionConfig, params: VectorParams): CodeOptions {
  const configured = configuredFor(config, params);
  if (configured == null || 'turbo' in configured) return {};
  if ('product' in configured) return { quantization: `product-${configured.product.compression}` };
  if ('binary' in configured) return binaryOptions(configured.binary);
  const { quantile } = configured.scalar;
  return { quantization: 'int8', ...(quantile == null ? {} : { quantile }) };
}

function binaryOptions({ encoding, query_encoding }: Binary): CodeOptions {
  return { quantization: BINARY_KINDS[encoding ?? 'one_bit'], queryBits: QUERY_BITS[query_encoding ?? 'default'] };
}

/** Says of a vector that its codes are not those configured, that they do not serve, or no longer serve well; undefined where there is nothing to say. */
export function codesWarning(
  config: CollectionConfig,
  { name, params }: SpaceSchema,
  { codes }: Pick<SpaceReader, 'codes'>,
): string | undefined {
  const vector = name === UNNAMED ? 'the vectors' : `the vector '${name}'`;
  if (codes === 'outgrown') {
    return `on_disk: the codes of ${vector} fit many of the later ones badly, so searches find less; they are made anew with half as many points again as the last time, or when on_disk is switched off and on`;
  }
  const configured = configuredFor(config, params);
  if (configured == null) return undefined;
  if ('binary' in configured && params.distance === 'Manhattan') {
    return `quantization_config.binary: bits do not keep distances of Manhattan, so ${vector} ${name === UNNAMED ? 'have' : 'has'} the codes of scalar instead`;
  }
  if (codes !== 'given up') return undefined;
  const [kind] = Object.keys(configured);
  return `quantization_config.${kind}: these codes do not tell the neighbours of ${vector} apart, so searches use the vectors themselves`;
}

function configuredFor(config: CollectionConfig, params: VectorParams): QuantizationConfig | null | undefined {
  return params.quantization_config ?? config.quantization_config;
}
