// Searches the list of codes: each word that is typed must stand in an entry.
(() => {
  const field = document.getElementById("find-code"), told = document.getElementById("found-codes");
  const entries = [...document.querySelectorAll(".code-entry")];
  const texts = entries.map(entry => entry.textContent.toLowerCase());
  const find = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    entries.forEach((entry, number) => {
      entry.hidden = !words.every(word => texts[number].includes(word));
      count += !entry.hidden;
    });
    for (const group of document.querySelectorAll(".code-group"))
      group.hidden = !group.querySelector(".code-entry:not([hidden])");
    told.textContent = `${count} of ${entries.length}`;
    history.replaceState(null, "", field.value ? `?find=${encodeURIComponent(field.value)}` : location.pathname);
  };
  field.value = new URLSearchParams(location.search).get("find") || "";
  field.addEventListener("input", find);
  field.closest("p").hidden = false;
  find();
})();
