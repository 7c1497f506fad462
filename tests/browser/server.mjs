// A server for one test, in a folder of its own, gone with it.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts `croupier serve`; `program` is its path. */
export async function serve(program, options = []) {
  const folder = mkdtempSync(join(tmpdir(), "croupier-browser-"));
  const file = (name) => join(folder, name);
  const settings = ["--json", "--store", file("store.db"), "--key", file("key"), "--token", file("token"),
    "--address-rate", "0", "--open-tables", "1000", "--log", "warn", ...options];
  const running = { child: null, log: "" };

  /** Starts a process at a port, 0 for any, and gives its address once it answers. */
  const begin = (port) => new Promise((resolve, reject) => {
    const child = spawn(program, ["serve", "--port", String(port), ...settings], { stdio: ["ignore", "pipe", "pipe"] });
    running.child = child;
    child.stderr.on("data", (bytes) => { running.log += bytes; });
    let text = "";
    child.stdout.on("data", (bytes) => {
      text += bytes;
      try {
        resolve(JSON.parse(text).address);
      } catch { /* not all of it yet */ }
    });
    child.on("exit", () => reject(new Error(`the server did not start: ${running.log}`)));
  });
  const kill = async () => {
    const gone = new Promise((resolve) => running.child.on("exit", resolve));
    running.child.kill("SIGKILL");
    await gone;
  };
  const address = await begin(0);
  return {
    url: `http://${address}`,
    folder,
    token: () => readFileSync(file("token"), "utf8").trim(),
    log: () => running.log,
    /** The process, as it is now. */
    pid: () => running.child.pid,
    /** Kills the server in the middle of whatever it does, and starts it again at its address. */
    async killAndRestart() {
      await kill();
      await begin(Number(address.split(":").at(-1)));
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
