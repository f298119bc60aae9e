// SPDX-License-Identifier: Apache-2.0
/** What a field index may be of. */
export const FIELD_TYPES = ['keyword', 'integer', 'float', 'bool', 'datetime', 'uuid', 'geo', 'text'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];
