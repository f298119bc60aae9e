// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Tooltip } from '@mantine/core';
import type { ComponentType } from 'react';

type IconButtonProps = {
  /** What it does, for the tooltip and for those who do not see the icon. */
  readonly label: string;
  readonly icon: ComponentType<{ size?: number }>;
  readonly isLoading?: boolean;
  readonly onClick: () => void;
};

/** A small button in a row or a heading, such as the one that deletes a row. */
export function IconButton({ label, icon: Icon, isLoading = false, onClick }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="sm" aria-label={label} loading={isLoading} onClick={onClick}>
        <Icon size={14} />
      </ActionIcon>
    </Tooltip>
  );
}
