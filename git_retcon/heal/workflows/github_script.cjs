// Runs the script of a step of actions/github-script that asks neither GitHub nor a module.
// Arguments: how its result is written (json or string), the file of the script.
const fs = require("fs");
const [encoding, path] = process.argv.slice(2);

const toText = (value) => (value == null ? "" : typeof value === "string" ? value : JSON.stringify(value));
const escape = (value) => toText(value).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
const say = (command) => (message) =>
  console.log(`::${command}::${escape(message instanceof Error ? message.toString() : message)}`);

function save(place, name, value) {
  const end = `end-${require("crypto").randomUUID()}`;
  fs.appendFileSync(process.env[place], `${name}<<${end}\n${toText(value)}\n${end}\n`);
}

const core = {
  debug: say("debug"),
  endGroup: () => console.log("::endgroup::"),
  error: say("error"),
  exportVariable(name, value) {
    process.env[name] = toText(value);
    save("GITHUB_ENV", name, value);
  },
  info: (message) => console.log(message),
  isDebug: () => false,
  notice: say("notice"),
  setFailed(message) {
    process.exitCode = 1;
    core.error(message);
  },
  setOutput: (name, value) => save("GITHUB_OUTPUT", name, value),
  setSecret: say("add-mask"),
  startGroup: say("group"),
  warning: say("warning"),
};

async function main() {
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  const result = await new AsyncFunction("core", fs.readFileSync(path, "utf8"))(core);
  core.setOutput("result", encoding === "string" ? String(result) : JSON.stringify(result));
}

main().catch((error) => {
  console.error(error);
  core.setFailed(`Unhandled error: ${error}`);
});
