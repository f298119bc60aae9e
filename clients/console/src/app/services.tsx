/** The two services as this browser knows them: a client of each, and whether somebody is signed in. Tokens are in memory alone. */
import { ObservabilityClient, VectorClient } from '@sextant/sdk';
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { queryClient } from './query-client.ts';

export type VectorSession = { readonly kind: 'open' } | { readonly kind: 'admin' } | { readonly kind: 'token' };
export type Member = { readonly tenant: string; readonly username: string };

type Services = {
  readonly vector: VectorClient;
  readonly observability: ObservabilityClient;
  readonly vectorSession: VectorSession;
  readonly member: Member | undefined;
  /** Later calls to the vector service carry an access token; without one, nothing. */
  readonly enterVectorToken: (apiKey: string | undefined) => void;
  readonly loginVector: (password: string) => Promise<void>;
  readonly signIn: (credentials: { readonly tenant: string; readonly username: string; readonly password: string }) => Promise<void>;
  readonly signOut: () => void;
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

const vectorUrl = addressOf('vector');
const observabilityUrl = addressOf('observability');

export function ServicesProvider({ children }: { readonly children: ReactNode }) {
  const [vector, setVector] = useState(() => new VectorClient({ url: vectorUrl }));
  const [observability, setObservability] = useState(() => new ObservabilityClient({ url: observabilityUrl }));
  const [vectorSession, setVectorSession] = useState<VectorSession>({ kind: 'open' });
  const [member, setMember] = useState<Member>();

  const services = useMemo<Services>(
    () => ({
      vector,
      observability,
      vectorSession,
      member,
      enterVectorToken: (apiKey) => {
        setVector(new VectorClient({ url: vectorUrl, ...(apiKey !== undefined && { apiKey }) }));
        setVectorSession({ kind: apiKey === undefined ? 'open' : 'token' });
        queryClient.removeQueries({ queryKey: ['vector'] });
      },
      loginVector: async (password) => {
        const client = new VectorClient({ url: vectorUrl });
        const { token, message } = await client.login(password);
        if (token === null) throw new Error(message);
        setVector(client);
        setVectorSession({ kind: 'admin' });
        queryClient.removeQueries({ queryKey: ['vector'] });
      },
      signIn: async ({ tenant, username, password }) => {
        const client = new ObservabilityClient({ url: observabilityUrl, tenant });
        await client.signIn({ username, password });
        setObservability(client);
        setMember({ tenant, username });
        queryClient.removeQueries({ queryKey: ['observability'] });
      },
      signOut: () => {
        setObservability(new ObservabilityClient({ url: observabilityUrl }));
        setMember(undefined);
        queryClient.removeQueries({ queryKey: ['observability'] });
      },
    }),
    [vector, observability, vectorSession, member],
  );
  return <ServicesContext value={services}>{children}</ServicesContext>;
}
