import type { QuantizationConfig, VectorParams } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import { configFromRequest } from './collection-config.ts';
import { codesWarning, quantizationOf } from './quantization.ts';

const vectors: VectorParams = { size: 64, distance: 'Dot' };

describe('the codes of a configuration', () => {
  test.each<[QuantizationConfig | undefined, object]>([
    [undefined, {}],
    [{ scalar: { type: 'int8' } }, { quantization: 'int8' }],
    [{ scalar: { type: 'int8', quantile: 0.9, always_ram: true } }, { quantization: 'int8', quantile: 0.9 }],
    [{ scalar: { type: 'int8', quantile: null } }, { quantization: 'int8' }],
    [{ binary: {} }, { quantization: 'bits' }],
    [{ binary: { encoding: 'two_bits', query_encoding: 'scalar8bits' } }, { quantization: 'bits' }],
    [{ product: { compression: 'x4' } }, { quantization: 'product-x4' }],
    [{ product: { compression: 'x64', always_ram: false } }, { quantization: 'product-x64' }],
    [{ turbo: { bits: 'bits4' } }, {}],
  ])('%j are %j', (quantization_config, codes) => {
    const ofCollection = configFromRequest({ vectors, ...(quantization_config ? { quantization_config } : {}) });
    expect(quantizationOf(ofCollection, vectors)).toEqual(codes);
    const ofVector = configFromRequest({ vectors, quantization_config: { product: { compression: 'x16' } } });
    const params = quantization_config ? { ...vectors, quantization_config } : vectors;
    expect(quantizationOf(ofVector, params)).toEqual(quantization_config ? codes : { quantization: 'product-x16' });
  });

  test('are warned of when they were configured and do not serve', () => {
    const plain = configFromRequest({ vectors });
    const configured = configFromRequest({ vectors, quantization_config: { product: { compression: 'x64' } } });
    const named = (name: string) => ({ name, ordinal: 0, params: vectors });
    expect(codesWarning(plain, named(''), { codes: 'given up' })).toBeUndefined();
    for (const codes of ['none', 'awaited', 'learning', 'in use'] as const) {
      expect(codesWarning(configured, named(''), { codes })).toBeUndefined();
    }
    expect(codesWarning(configured, named(''), { codes: 'given up' })).toBe(
      'quantization_config.product: these codes do not tell the neighbours of the vectors apart, so searches use the vectors themselves',
    );
    expect(codesWarning(configured, named('text'), { codes: 'given up' })).toContain("neighbours of the vector 'text' apart");
    expect(codesWarning(plain, named('text'), { codes: 'outgrown' })).toContain("on_disk: the codes of the vector 'text'");
  });
});
