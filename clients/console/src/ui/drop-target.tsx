// SPDX-License-Identifier: Apache-2.0
import { Overlay, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';

type DropTargetProps = { readonly onFile: (file: File) => void; readonly children: ReactNode };

/** Takes a file that is dropped anywhere on it: a shortcut for the button that it holds. */
export function DropTarget({ onFile, children }: DropTargetProps) {
  // The event of entering a child comes before the one of leaving its parent.
  const depth = useRef(0);
  const [isOver, setIsOver] = useState(false);
  const count = (step: number) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    depth.current += step;
    setIsOver(depth.current > 0);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    depth.current = 0;
    setIsOver(false);
    const file = event.dataTransfer.files.item(0);
    if (file !== null) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has no keyboard; the button within does the same.
    <div
      style={{ position: 'relative', minHeight: 'calc(100dvh - 80px)' }}
      onDragEnter={count(1)}
      onDragLeave={count(-1)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {isOver && (
        <Overlay backgroundOpacity={0.35} blur={2} center radius="sm" style={{ pointerEvents: 'none' }}>
          <Text c="white" fw={600} size="lg" style={{ display: 'flex', gap: 8, alignItems: 'center' }}>
            <IconUpload size={20} /> Drop the file to upload it
          </Text>
        </Overlay>
      )}
    </div>
  );
}
