// A server for one test, in a folder of its own, gone with it.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts `croupier serve`; `program` is its path. */
export async function serve(program, options = []) {
  const folder = mkdtempSync(join(tmpdir(), "croupier-browser-"));
  const file = (name) => join(folder, name);
  const settings = ["--port", "0", "--json", "--store", file("store.db"), "--key", file("key"), "--token", file("token"),
    "--address-rate", "0", "--open-tables", "1000", "--log", "warn", ...options];
  const child = spawn(program, ["serve", ...settings], { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stderr.on("data", (bytes) => { log += bytes; });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (bytes) => {
      text += bytes;
      try {
        resolve(JSON.parse(text).address);
      } catch { /* not all of it yet */ }
    });
    child.on("exit", () => reject(new Error(`the server did not start: ${log}`)));
  });
  return {
    url: `http://${address}`,
    token: () => readFileSync(file("token"), "utf8").trim(),
    log: () => log,
    async stop() {
      const gone = new Promise((resolve) => child.on("exit", resolve));
      child.kill("SIGKILL");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
