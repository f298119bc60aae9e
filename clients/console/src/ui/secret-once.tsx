// SPDX-License-Identifier: Apache-2.0
import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';

type SecretOnceProps = { readonly title: string; readonly secret: string; readonly onClose: () => void };

/** The service keeps a hash alone, so nobody can show the secret again. */
export function SecretOnce({ title, secret, onClose }: SecretOnceProps) {
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false}>
      <Stack gap="sm">
        <Text size="sm">Copy it now. It is shown only once.</Text>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {secret}
        </Code>
        <Group justify="flex-end">
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
