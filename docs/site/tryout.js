// The page that tries distify out: what is pasted goes to a worker of this page, and nowhere else.
(() => {
  const at = document.currentScript.src.replace(/[^/]*$/, "");
  const part = name => document.getElementById(`try-${name}`);
  const text = part("text"), run = part("run"), state = part("state");
  let worker, asked = 0;

  function start() {
    // A worker from a blob keeps to the policy of this page: it can't reach another server.
    const code = `import ${JSON.stringify(`${at}worker.mjs`)};`;
    const made = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    worker = new Worker(made, { type: "module" });
    worker.onmessage = ({ data }) => heard(data);
    worker.onerror = event => tell(`It can't be loaded: ${event.message || "no worker"}`);
    tell("Loading Python and distify (15 MB, once) …");
  }

  function tell(words, busy) {
    state.textContent = words;
    state.toggleAttribute("data-busy", Boolean(busy));
  }

  function heard(data) {
    if (data.ready) tell(asked ? "Looking …" : "Ready.", asked);
    else if (data.failed && !data.number) tell(`It can't be loaded: ${data.failed}`);
    else if (data.number === asked) {
      run.disabled = false;
      if (data.failed) tell(`Something went wrong: ${data.failed}`);
      else show(data.said);
    }
  }

  function show(said) {
    for (const name of ["check", "diff", "script"]) {
      const lines = said[name].replace(/\n$/, "").split("\n");
      const kind = line => name !== "diff" || !said.diff.startsWith("--- ") ? "" : line.startsWith("@@") ? "why"
        : line.startsWith("+") ? "new" : line.startsWith("-") ? "gone" : "";
      part(name).replaceChildren(...lines.map(line => {
        const made = document.createElement("span");
        made.className = kind(line);
        made.textContent = `${line}\n`;
        return made;
      }));
    }
    part("said").hidden = false;
    tell("Done.");
  }

  run.addEventListener("click", () => {
    asked += 1;
    run.disabled = true;
    if (!worker) start(); else tell("Looking …", true);
    worker.postMessage({ number: asked, text: text.value });
  });
  for (const name of ["check", "diff", "script"]) {
    part(`to-${name}`).addEventListener("change", () => {
      for (const other of ["check", "diff", "script"]) part(other).hidden = other !== name;
    });
  }
  run.disabled = false;
})();
