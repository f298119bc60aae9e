/** Which codes a vector's configuration asks of the kernel, and whether they serve. */
import type { QuantizationConfig, VectorParams } from '@sextant/contracts-vector';
import type { SpaceReader, VectorSpaceOptions } from '@sextant/vector-kernel';
import type { CollectionConfig } from './collection-config.ts';
import { UNNAMED } from './collection-config.ts';
import type { SpaceSchema } from './vectors.ts';

export type CodeOptions = Pick<VectorSpaceOptions, 'quantization' | 'quantile'>;

/** Of what holds for one vector: its own configuration, or else the collection's. Without one, the kernel chooses by the dimension. */
export function quantizationOf(config: CollectionConfig, params: VectorParams): CodeOptions {
  const configured = configuredFor(config, params);
  if (configured == null || 'turbo' in configured) return {};
  if ('product' in configured) return { quantization: `product-${configured.product.compression}` };
  if ('binary' in configured) return { quantization: 'bits' };
  const { quantile } = configured.scalar;
  return { quantization: 'int8', ...(quantile == null ? {} : { quantile }) };
}

/** Says of a vector that its codes do not serve, or no longer serve well; undefined where there is nothing to say. */
export function codesWarning(
  config: CollectionConfig,
  { name, params }: SpaceSchema,
  { codes }: Pick<SpaceReader, 'codes'>,
): string | undefined {
  const vector = name === UNNAMED ? 'the vectors' : `the vector '${name}'`;
  if (codes === 'outgrown') {
    return `on_disk: the codes of ${vector} fit many of the later ones badly, so searches find less; switch on_disk off and on to make them anew`;
  }
  const configured = configuredFor(config, params);
  if (configured == null || codes !== 'given up') return undefined;
  const [kind] = Object.keys(configured);
  return `quantization_config.${kind}: these codes do not tell the neighbours of ${vector} apart, so searches use the vectors themselves`;
}

function configuredFor(config: CollectionConfig, params: VectorParams): QuantizationConfig | null | undefined {
  return params.quantization_config ?? config.quantization_config;
}
