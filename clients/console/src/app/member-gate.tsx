import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useServices } from '../data/services/services.tsx';
import { SignIn } from '../widgets/sign-in.tsx';

/** What is behind it is shown to members of a tenant. */
export function MemberGate({ children }: { readonly children: ReactNode }) {
  const { memberState } = useServices();
  switch (memberState.kind) {
    case 'resuming':
      return <Skeleton height={240} />;
    case 'out':
      return <SignIn why={memberState.why} />;
    case 'in':
      return children;
  }
}
