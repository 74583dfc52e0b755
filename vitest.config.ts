import { defineConfig } from "vitest/config"

// Tests and examples import the package by its own name, from source.
const conditions = ["toolgate-source"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Machines that run tests are shared: a limit is there to end what hangs, not to measure.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Most tests wait for processes that they start.
    maxWorkers: "100%",
    projects: [
      { extends: true, test: { name: "test", include: ["test/**/*.test.ts"], exclude: ["test/package/**"] } },
      { extends: true, test: { name: "examples", include: ["build/doctest/*.test.ts"], isolate: false } },
      {
        extends: true,
        test: {
          name: "built",
          include: ["test/cli/badInput.test.ts", "test/cli/prompt.test.ts", "test/cli/repl.test.ts"],
          env: { TOOLGATE_BUILT: "1" }
        }
      },
      {
        extends: true,
        test: { name: "package", include: ["test/package/*.test.ts"] }
      }
    ]
  }
})
