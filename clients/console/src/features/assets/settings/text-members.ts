// SPDX-License-Identifier: Apache-2.0

/** By vector, the empty name for the unnamed one. */
export type TextMembers = { readonly [vector: string]: string };

/** An empty member leaves it to the scans. */
export function withMember(values: TextMembers, vector: string, member: string): TextMembers {
  const { [vector]: _before, ...others } = values;
  return member === '' ? others : { ...others, [vector]: member };
}
