/** What this server calls itself. */

export const PRODUCT = {
  name: 'sextant',
  title: 'sextant - vector search engine',
  version: '0.1.0',
} as const;

/**
 * The revision of the published vector API that the server speaks. Clients of that API read it from `GET /` and warn when their own
 * minor version is more than one away (https://github.com/qdrant/qdrant-js, js-client-rest `ClientVersion`): 1.18 is quiet for 1.17 to 1.19.
 */
export const API_COMPATIBILITY_VERSION = '1.18.0';
