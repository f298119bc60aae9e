/** Aliases: further names of collections. */

export type Alias = { readonly alias_name: string; readonly collection_name: string };

/** One step of a change of aliases; the steps of a request are done in order, all or none. */
export type AliasAction =
  /** An alias of that name that there is leads to the collection from then on. */
  | { readonly create_alias: Alias }
  | { readonly delete_alias: { readonly alias_name: string } }
  | { readonly rename_alias: { readonly old_alias_name: string; readonly new_alias_name: string } };
