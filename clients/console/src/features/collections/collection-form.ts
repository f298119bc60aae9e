// SPDX-License-Identifier: Apache-2.0
/** A collection as the form describes it, what is wrong with that, and the request that it makes. */
import type { NewCollection, QuantizationConfig } from '@sextant/sdk';

export const DISTANCES = ['Cosine', 'Dot', 'Euclid', 'Manhattan'] as const;
export type Distance = (typeof DISTANCES)[number];
export const QUANTIZATIONS = ['none', 'scalar', 'product', 'binary'] as const;
export type Quantization = (typeof QUANTIZATIONS)[number];
export const SIZE_MAX = 65_536;

export type VectorRow = {
  readonly name: string;
  readonly kind: 'dense' | 'multi' | 'sparse';
  readonly size: number | string;
  readonly distance: Distance;
  readonly isOnDisk: boolean;
};

export type CollectionForm = {
  readonly name: string;
  readonly vectors: readonly VectorRow[];
  readonly quantization: Quantization;
  readonly m: number | string;
  readonly efConstruct: number | string;
};

/** The size is that of many sentence encoders. */
export const USUAL_VECTOR: VectorRow = { name: '', kind: 'dense', size: 384, distance: 'Cosine', isOnDisk: false };
export const EMPTY_FORM: CollectionForm = {
  name: '',
  vectors: [USUAL_VECTOR],
  quantization: 'none',
  m: '',
  efConstruct: '',
};

export type Problems = { readonly name?: string; readonly vectors: readonly { readonly name?: string; readonly size?: string }[] };

/** Undefined where nothing is. */
export function problemsOf({ name, vectors }: CollectionForm): Problems | undefined {
  const problems: Problems = {
    ...(name.trim() === '' && { name: 'A collection needs a name.' }),
    vectors: vectors.map((vector, i) => ({ ...nameProblem(vector, i, vectors), ...sizeProblem(vector) })),
  };
  const isSound = problems.name === undefined && problems.vectors.every((each) => each.name === undefined && each.size === undefined);
  return isSound ? undefined : problems;
}

function nameProblem({ name, kind }: VectorRow, i: number, vectors: readonly VectorRow[]) {
  const others = vectors.filter((_, other) => other !== i);
  const isOnly = kind !== 'sparse' && others.every((other) => other.kind === 'sparse');
  if (name.trim() === '') return isOnly ? {} : { name: 'If there are several vectors, each needs a name.' };
  return others.some((other) => other.name.trim() === name.trim()) ? { name: 'Another vector has this name.' } : {};
}

function sizeProblem({ kind, size }: VectorRow) {
  if (kind === 'sparse') return {};
  const number = Number(size);
  return size !== '' && Number.isInteger(number) && number >= 1 && number <= SIZE_MAX ? {} : { size: `From 1 to ${SIZE_MAX}.` };
}

export function createRequest(form: CollectionForm): NewCollection {
  const { vectors, quantization, m, efConstruct } = form;
  const dense = vectors.filter(({ kind }) => kind !== 'sparse').map((vector) => [vector.name.trim(), paramsOf(vector)] as const);
  const sparse = vectors.filter(({ kind }) => kind === 'sparse').map(({ name }) => [name.trim(), {}] as const);
  const [only] = dense;
  const config = quantizationOf(quantization);
  return {
    vectors: dense.length === 1 && only?.[0] === '' ? only[1] : Object.fromEntries(dense),
    ...(sparse.length > 0 && { sparse_vectors: Object.fromEntries(sparse) }),
    ...((m !== '' || efConstruct !== '') && {
      hnsw_config: { ...(m !== '' && { m: Number(m) }), ...(efConstruct !== '' && { ef_construct: Number(efConstruct) }) },
    }),
    ...(config !== undefined && { quantization_config: config }),
  };
}

function paramsOf({ kind, size, distance, isOnDisk }: VectorRow) {
  return {
    size: Number(size),
    distance,
    ...(isOnDisk && { on_disk: true }),
    ...(kind === 'multi' && { multivector_config: { comparator: 'max_sim' as const } }),
  };
}

/** As the service has them without further settings. */
export function quantizationOf(quantization: Quantization): QuantizationConfig | undefined {
  switch (quantization) {
    case 'none':
      return undefined;
    case 'scalar':
      return { scalar: { type: 'int8' } };
    case 'product':
      return { product: { compression: 'x16' } };
    case 'binary':
      return { binary: {} };
  }
}
