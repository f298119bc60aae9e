// SPDX-License-Identifier: Apache-2.0
/** The two services as this browser knows them: a client of each, and who is signed in. */
import { VectorClient } from '@sextant/sdk';
import { createContext, createElement, type ReactNode, use, useMemo, useState } from 'react';
import { type Member, type MemberSession, useMemberSession } from './member-session.ts';
import { queryClient, VECTOR_KEY } from './query-client.ts';

export type VectorSession = { readonly kind: 'open' } | { readonly kind: 'admin' } | { readonly kind: 'token' };

type Services = MemberSession & {
  readonly vector: VectorClient;
  readonly vectorSession: VectorSession;
  readonly member: Member | undefined;
  /** Later calls to the vector service carry an access token; without one, nothing. */
  readonly enterVectorToken: (apiKey: string | undefined) => void;
  readonly loginVector: (password: string) => Promise<void>;
};

const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = use(ServicesContext);
  if (services === undefined) throw new Error('useServices outside of ServicesProvider');
  return services;
}

/** Where a service is, as the one that served this page says. */
function addressOf(service: 'vector' | 'observability'): string {
  const written = document.querySelector<HTMLMetaElement>('meta[name="sextant-services"]')?.content ?? '';
  const address = new URLSearchParams(written).get(service);
  return address === null || address === 'self' ? location.origin : address;
}

export function ServicesProvider({ children }: { readonly children: ReactNode }) {
  const [vectorUrl] = useState(() => addressOf('vector'));
  const [observabilityUrl] = useState(() => addressOf('observability'));
  const [vector, setVector] = useState(() => new VectorClient({ url: vectorUrl }));
  const [vectorSession, setVectorSession] = useState<VectorSession>({ kind: 'open' });
  const memberSession = useMemberSession(observabilityUrl);
  const { observability, memberState, signIn, signOut } = memberSession;

  const services = useMemo<Services>(
    () => ({
      vector,
      vectorSession,
      observability,
      memberState,
      signIn,
      signOut,
      member: memberState.kind === 'in' ? memberState.member : undefined,
      enterVectorToken: (apiKey) => {
        setVector(new VectorClient({ url: vectorUrl, ...(apiKey !== undefined && { apiKey }) }));
        setVectorSession({ kind: apiKey === undefined ? 'open' : 'token' });
        queryClient.removeQueries({ queryKey: VECTOR_KEY });
      },
      loginVector: async (password) => {
        const client = new VectorClient({ url: vectorUrl });
        const { token, message } = await client.login(password);
        if (token === null) throw new Error(message);
        setVector(client);
        setVectorSession({ kind: 'admin' });
        queryClient.removeQueries({ queryKey: VECTOR_KEY });
      },
    }),
    [vectorUrl, vector, vectorSession, observability, memberState, signIn, signOut],
  );
  return createElement(ServicesContext, { value: services }, children);
}
