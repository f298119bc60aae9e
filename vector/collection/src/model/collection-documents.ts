/** The documents of a collection's storage, by name. */

/** A `CollectionConfig`. */
export const CONFIG = 'config';
/** A `FieldIndexDocument`. */
export const FIELD_INDEXES = 'field-indexes';
