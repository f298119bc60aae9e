// SPDX-License-Identifier: Apache-2.0
/** The documents of a collection's storage, by name. */

/** A `CollectionConfig`. */
export const CONFIG = 'config';
/** A `FieldIndexDocument`. */
export const FIELD_INDEXES = 'field-indexes';
/** The `LogMark` of the last operation of a log; without it none has come from one. */
export const APPLIED = 'applied';
/** `InputNorms`; without it no vector has been normalised yet. */
export const INPUT_NORMS = 'input-norms';
