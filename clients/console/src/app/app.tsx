// SPDX-License-Identifier: Apache-2.0
/** What every screen stands in: theme, server state, notifications, routes. */
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../data/services/query-client.ts';
import { ServicesProvider } from '../data/services/services.ts';
import { router } from './router.tsx';
import { theme } from './theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
// Where the dialogs' lock of scrolling looks for it.
if (nonce !== undefined) Object.assign(globalThis, { __webpack_nonce__: nonce });

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" {...(nonce === undefined ? {} : { getStyleNonce: () => nonce })}>
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queryClient}>
        <ServicesProvider>
          <RouterProvider router={router} />
        </ServicesProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
