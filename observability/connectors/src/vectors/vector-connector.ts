// SPDX-License-Identifier: Apache-2.0
/** Collections of the vector service, and of Qdrant, whose interface is of the same family. */
import type { Credential } from '@sextant/contracts-observability';
import type { OutboundGuard } from '@sextant/foundation-service';
import { type Connector, SourceError } from '../connector.ts';
import { pointsSource } from '../formats/points-source.ts';
import { credentialOfType, optionalUrl, type Payload, requiredText } from '../payload.ts';
import { collectionAccess, collectionNames, type VectorService } from './vector-service.ts';

type Kind = 'VECTOR_COLLECTION' | 'QDRANT';

type Family = Pick<VectorService, 'name' | 'credentialHeader'> & { readonly url: string; readonly what: string };

const FAMILY: { readonly [kind in Kind]: Family } = {
  VECTOR_COLLECTION: {
    name: 'the vector service',
    what: 'a vector service',
    url: 'http://vectors.example.com:6573',
    credentialHeader: (token) => ({ authorization: `Bearer ${token}` }),
  },
  QDRANT: {
    name: 'Qdrant',
    what: 'a Qdrant server',
    url: 'https://qdrant.example.com:6333',
    // https://qdrant.tech/documentation/guides/security/
    credentialHeader: (token) => ({ 'api-key': token }),
  },
};

export function createVectorConnector(kind: Kind, outbound: OutboundGuard): Connector {
  const { name, what, url: example, credentialHeader } = FAMILY[kind];
  const serviceOf = (payload: Payload, credential: Credential | null): VectorService => {
    const url = optionalUrl(payload, 'url', example);
    if (url === undefined) throw new SourceError(`payload.url is missing; expected the address of ${what}`, { member: 'payload.url' });
    return { outbound, name, credentialHeader, url: url.href.replace(/\/+$/, ''), token: tokenOf(credential) };
  };
  return {
    kind,
    validateConnection: (payload, credential) => {
      serviceOf(payload, credential);
    },
    validateAsset: (payload) => {
      collectionOf(payload);
    },
    test: async ({ payload, credential }, signal) => {
      await collectionNames(serviceOf(payload, credential), signal);
    },
    list: async ({ payload, credential }, { limit, signal }) => {
      const names = await collectionNames(serviceOf(payload, credential), signal);
      return names.slice(0, limit).map((name) => ({ payload: { collection: name }, name, bytes: null, modified_at: null }));
    },
    ...pointsSource(async ({ payload, credential }, location) =>
      collectionAccess(serviceOf(payload, credential), collectionOf(location.payload)),
    ),
  };
}

/** A service whose authentication is off needs none. */
function tokenOf(credential: Credential | null): string | undefined {
  return credential === null
    ? undefined
    : requiredText(credentialOfType(credential, 'TOKEN'), 'token', 'an access token', 'credential.payload');
}

function collectionOf(payload: Payload): string {
  return requiredText(payload, 'collection', 'the name of a collection');
}
