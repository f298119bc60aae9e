import { PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { CredentialForm } from '../../ui/credential-form.tsx';

/** Anybody on the machine of the service may choose the password of the admin, once. */
export function FirstAdmin() {
  const { vector, loginVector } = useServices();
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const creation = useMutation({
    mutationFn: async () => {
      const { status, message } = await vector.createAdmin(password);
      if (status === 'error') throw new Error(message);
      await loginVector(password);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['vector'] }),
  });
  return (
    <CredentialForm
      title="Choose the password of the admin"
      note="The admin makes tokens and says whether credentials are asked for. Until then the service is open to this machine."
      verb="Create the admin"
      doing="create the admin"
      error={creation.error}
      isPending={creation.isPending}
      onSubmit={() => creation.mutate()}
    >
      <PasswordInput
        label="Password"
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        required
      />
    </CredentialForm>
  );
}
