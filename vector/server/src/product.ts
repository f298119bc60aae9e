// SPDX-License-Identifier: Apache-2.0
/** What this server calls itself. */

export const PRODUCT = {
  name: 'sextant',
  title: 'sextant - vector search engine',
  version: '0.1.0',
} as const;

/**
 * The revision of the published vector API that the server says it speaks, over REST and gRPC. Clients of that API read it when they connect and warn when its
 * major version is not theirs or its minor version is more than one away (https://github.com/qdrant/qdrant-js, js-client-rest `ClientVersion`; the clients of Python and
 * Rust have the same rule). It is one minor version before that of the newest client that the tests run, so that the two versions before are quiet too; a test holds it to that.
 */
export const API_COMPATIBILITY_VERSION = '1.19.0';
