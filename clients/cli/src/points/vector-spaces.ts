// SPDX-License-Identifier: Apache-2.0
/** The vectors that a collection's points have, as its description names them. */
import type { CollectionInfo } from '@sextant/sdk';

export type VectorSpace = {
  /** Undefined for the unnamed one. */
  readonly name: string | undefined;
  readonly kind: 'dense' | 'multi' | 'sparse';
  readonly size: number | undefined;
  readonly distance: string | undefined;
};

type Members = { readonly [name: string]: unknown };

/** The configuration is a free object on the wire; what is not there is left out. */
export function spacesOf({ config }: Pick<CollectionInfo, 'config'>): readonly VectorSpace[] {
  const params = membersOf(membersOf(config).params);
  const vectors = membersOf(params.vectors);
  const dense =
    typeof vectors.size === 'number'
      ? [spaceOf(undefined, vectors)]
      : Object.entries(vectors).map(([name, member]) => spaceOf(name, membersOf(member)));
  const sparse = Object.keys(membersOf(params.sparse_vectors)).map((name) => ({
    name,
    kind: 'sparse' as const,
    size: undefined,
    distance: undefined,
  }));
  return [...dense, ...sparse];
}

function spaceOf(name: string | undefined, { size, distance, multivector_config: multi }: Members): VectorSpace {
  return {
    name,
    kind: multi === undefined || multi === null ? 'dense' : 'multi',
    size: typeof size === 'number' ? size : undefined,
    distance: typeof distance === 'string' ? distance : undefined,
  };
}

function membersOf(value: unknown): Members {
  // An object's members are whatever they are.
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}
