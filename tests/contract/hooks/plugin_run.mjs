// Runs memd's OpenCode plugin as OpenCode does: loads the module, calls its hooks as told on standard input.
import fs from "node:fs"
import { pathToFileURL } from "node:url"

const [file, directory] = process.argv.slice(2)
const module = await import(pathToFileURL(file).href)
const plugins = Object.values(module).filter((value) => typeof value === "function")
const hooks = await plugins[0]({ directory, worktree: directory, client: {}, project: {} })
const results = { plugins: plugins.length, hooks: Object.keys(hooks), outputs: [] }
for (const [name, input, output] of JSON.parse(fs.readFileSync(0, "utf8"))) {
  await hooks[name]?.(input, output)
  results.outputs.push(output ?? null)
}
process.stdout.write(JSON.stringify(results))
