// Python and distify, away from the page's own thread: a script comes in, what distify says goes out.
import { loadPyodide } from "./pyodide.mjs";

const here = new URL(".", import.meta.url).href;
const read = async name => {
  const answer = await fetch(here + name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
};

async function prepare() {
  const python = await loadPyodide({ indexURL: here });
  const archive = await (await read("distify.zip")).arrayBuffer();
  python.unpackArchive(archive, "zip", { extractDir: "/distify" });
  python.FS.writeFile("/distify/tried.py", await (await read("tried.py")).text());
  python.runPython("import sys; sys.path.insert(0, '/distify')");
  const tried = python.runPython("from tried import tried; tried");
  tried("import tensorflow\n").destroy(); // so that the first script waits for no import
  return tried;
}

const prepared = prepare();
prepared.then(() => postMessage({ ready: true }), error => postMessage({ failed: String(error) }));
onmessage = async ({ data }) => {
  try {
    const tried = await prepared;
    const said = tried(data.text);
    postMessage({ number: data.number, said: said.toJs({ dict_converter: Object.fromEntries }) });
    said.destroy();
  } catch (error) {
    postMessage({ number: data.number, failed: String(error) });
  }
};
