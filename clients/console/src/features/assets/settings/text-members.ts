// SPDX-License-Identifier: Apache-2.0

/** By vector, the empty name for the unnamed one. */
export type TextMembers = { readonly [vector: string]: string };

/** An empty member leaves it to the scans. */
export function withMember(values: TextMembers, vector: string, member: string): TextMembers {
  const { [vector]: _before, ...others } = values;
  return member === '' ? others : { ...others, [vector]: member };
}

/** As the service names the member of a vector where it refuses it. */
export function stepTo(vector: string): string {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$-]*$/u.test(vector) ? vector : JSON.stringify(vector);
}
