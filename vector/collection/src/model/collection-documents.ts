/** The documents of a collection's storage, by name. */

/** A `CollectionConfig`. */
export const CONFIG = 'config';
/** A `FieldIndexDocument`. */
export const FIELD_INDEXES = 'field-indexes';
/** `InputNorms`; without it no vector has been normalised yet. */
export const INPUT_NORMS = 'input-norms';
