import type { ReactNode } from 'react';
import { useServices } from '../../app/services.tsx';
import { SignIn } from './sign-in.tsx';

/** What is behind it is shown to members of a tenant. */
export function MemberGate({ children }: { readonly children: ReactNode }) {
  const { member } = useServices();
  return member === undefined ? <SignIn /> : children;
}
