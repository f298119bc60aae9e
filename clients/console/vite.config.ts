// SPDX-License-Identifier: Apache-2.0
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Both services serve the console below this path; what is open is in the fragment, so no other path is taken from them. */
const BASE = '/console/';

export default defineConfig({
  base: BASE,
  plugins: [react()],
  // The server puts a fresh nonce in this place for each page that it sends; see console.ts of foundation/service.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2024',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    // What most screens share is one file: many small ones take longer to ask for than to send.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 24 }] } } },
  },
});
