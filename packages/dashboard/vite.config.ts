// Builds the dashboard into dist/, which the server serves at /. `npm run dev` in this folder serves it beside a running service.

import { defineConfig } from 'vite';

const SERVICE = 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The content policy takes no data: URLs of scripts, and every file should be cached by itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // "use client" is for frameworks that render on a server.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/readyz', '/docs', '/openapi.json'].map((path) => [path, { target: SERVICE, changeOrigin: false }]),
    ),
  },
});
