import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  base: "./",
  resolve: {
    alias: [
      { find: /^@gen\/(.*)$/, replacement: `${here("../clients/typescript/gen/parley/")}$1` },
      // Generated code lies outside of this folder, and is to use the same library as the rest.
      { find: /^@bufbuild\/protobuf$/, replacement: here("node_modules/@bufbuild/protobuf/dist/esm/index.js") },
      { find: /^@bufbuild\/protobuf\/codegenv2$/, replacement: here("node_modules/@bufbuild/protobuf/dist/esm/codegenv2/index.js") },
      { find: /^@bufbuild\/protobuf\/wkt$/, replacement: here("node_modules/@bufbuild/protobuf/dist/esm/wkt/index.js") },
    ],
  },
  build: {
    outDir: "../doors/console",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "^/(parley\\.|upload)": "http://127.0.0.1:8050" } },
  test: { include: ["test/**/*.test.{ts,tsx}"] },
});
