// SPDX-License-Identifier: Apache-2.0
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
    [{ binary: {} }, { quantization: 'binary', queryBits: 4 }],
    [{ binary: { encoding: 'one_bit', query_encoding: 'default' } }, { quantization: 'binary', queryBits: 4 }],
    [{ binary: { encoding: null, query_encoding: null } }, { quantization: 'binary', queryBits: 4 }],
    [{ binary: { encoding: 'one_and_half_bits', query_encoding: 'scalar4bits' } }, { quantization: 'binary-1.5', queryBits: 4 }],
    [{ binary: { encoding: 'two_bits', query_encoding: 'scalar8bits' } }, { quantization: 'binary-2', queryBits: 8 }],
    [{ binary: { query_encoding: 'binary' } }, { quantization: 'binary', queryBits: 1 }],
    [{ product: { compression: 'x4' } }, { quantization: 'product-x4' }],
    [{ product: { compression: 'x64', always_ram: false } }, { quantization: 'product-x64' }],
    [{ turbo: { bits: 'bits4' } }, {}],
    [{ turbo: {} }, {}],
    [{ turbo: { bits: 'bits2' } }, { quantization: 'binary-2', queryBits: 4 }],
    [{ turbo: { bits: 'bits1_5', always_ram: true } }, { quantization: 'binary-1.5', queryBits: 4 }],
    [{ turbo: { bits: 'bits1' } }, { quantization: 'binary', queryBits: 4 }],
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
      'quantization_config.product: these codes cannot distinguish the neighbours of the vectors, so searches use the vectors themselves',
    );
    expect(codesWarning(configured, named('text'), { codes: 'given up' })).toContain("neighbours of the vector 'text'");
    const binary = configFromRequest({ vectors, quantization_config: { binary: {} } });
    const byManhattan = { name: 'text', ordinal: 0, params: { ...vectors, distance: 'Manhattan' } } as const;
    expect(codesWarning(binary, byManhattan, { codes: 'in use' })).toContain("so the vector 'text' uses scalar codes instead");
    expect(codesWarning(binary, named('text'), { codes: 'in use' })).toBeUndefined();
    const turbo = (bits: 'bits2' | 'bits4') => configFromRequest({ vectors, quantization_config: { turbo: { bits } } });
    expect(codesWarning(turbo('bits2'), named(''), { codes: 'in use' })).toBe(
      'quantization_config.turbo: this service has no codes of this kind; the vectors use binary codes with the encoding two_bits',
    );
    expect(codesWarning(turbo('bits4'), named('text'), { codes: 'none' })).toBe(
      "quantization_config.turbo: this service has no codes of this kind; the vector 'text' uses the default codes",
    );
    expect(codesWarning(turbo('bits2'), byManhattan, { codes: 'in use' })).toContain('uses scalar codes');
    expect(codesWarning(turbo('bits2'), named(''), { codes: 'given up' })).toContain(
      'quantization_config.turbo: these codes cannot distinguish',
    );
    expect(codesWarning(plain, named('text'), { codes: 'outgrown' })).toContain("on_disk: the codes of the vector 'text'");
  });
});
