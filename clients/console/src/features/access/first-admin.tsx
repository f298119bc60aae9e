import { PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { VECTOR_KEY } from '../../data/services/query-client.ts';
import { useServices } from '../../data/services/services.tsx';
import { CredentialForm } from '../../ui/credential-form.tsx';

/** Whoever has seen the service start, or may read its data directory, chooses the password of the admin, once. */
export function FirstAdmin() {
  const { vector, loginVector } = useServices();
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const [setupCode, setSetupCode] = useState('');
  const creation = useMutation({
    mutationFn: async () => {
      const { status, message } = await vector.createAdmin(password, { setupCode: setupCode.trim() });
      if (status === 'error') throw new Error(message);
      await loginVector(password);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: VECTOR_KEY }),
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
      <TextInput
        label="Setup code"
        description="The service prints it when it starts, and keeps it in the file setup-code of its data directory (data/vector unless SERVICE_DATA_DIR says otherwise)."
        placeholder="XXXXX-XXXXX-XXXXX-XXXXX"
        autoComplete="off"
        spellCheck={false}
        value={setupCode}
        onChange={(event) => setSetupCode(event.currentTarget.value)}
        required
      />
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
