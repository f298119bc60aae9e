/** How much of a long list an answer holds. */
export type Page = { readonly limit?: number; readonly offset?: number };
